// Package flags parses what the components' pods are given: the flags that the test bed acts on, and any other that the real binaries know.
package flags

import (
	"os"
	"time"

	"github.com/spf13/pflag"
	logsapi "k8s.io/component-base/logs/api/v1"

	logf "github.com/cert-manager/cert-manager/pkg/logs"
)

// LeaderElection holds the three durations and the namespace that the chart's global.leaderElection values become.
type LeaderElection struct {
	Namespace     string
	LeaseDuration time.Duration
	RenewDeadline time.Duration
	RetryPeriod   time.Duration
}

// AddTo declares the leader election flags with the defaults of cert-manager's binaries.
func (l *LeaderElection) AddTo(set *pflag.FlagSet) {
	set.StringVar(&l.Namespace, "leader-election-namespace", "kube-system", "")
	set.DurationVar(&l.LeaseDuration, "leader-election-lease-duration", 60*time.Second, "")
	set.DurationVar(&l.RenewDeadline, "leader-election-renew-deadline", 40*time.Second, "")
	set.DurationVar(&l.RetryPeriod, "leader-election-retry-period", 15*time.Second, "")
}

// New is a set that lets flags pass which only the released binaries have.
func New(name string) *pflag.FlagSet {
	set := pflag.NewFlagSet(name, pflag.ExitOnError)
	set.ParseErrorsAllowlist.UnknownFlags = true
	return set
}

// Parse reads the command line and sets up logging.
func Parse(set *pflag.FlagSet, logging *logsapi.LoggingConfiguration) error {
	if err := set.Parse(os.Args[1:]); err != nil {
		return err
	}
	logf.InitLogs()
	return logf.ValidateAndApply(logging)
}
