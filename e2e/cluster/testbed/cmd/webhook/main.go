// Command webhook is cert-manager's webhook, from its own packages. A pod's ports are taken by the bed's proxy, so
// PORT_SECURE and PORT_HEALTHZ say where this process listens instead.
package main

import (
	"fmt"
	"os"
	"strconv"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/cert-manager/cert-manager/internal/apis/config/webhook/validation"
	"github.com/cert-manager/cert-manager/internal/webhook"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
	utilfeature "github.com/cert-manager/cert-manager/pkg/util/feature"
	"github.com/cert-manager/cert-manager/pkg/webhook/options"
	"github.com/cert-manager/cert-manager/testbed/flags"
)

func main() {
	config, err := options.NewWebhookConfiguration()
	check(err)
	set := flags.New("webhook")
	options.AddConfigFlags(set, config)
	check(flags.Parse(set, &config.Logging))
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(config.FeatureGates); err != nil {
		check(fmt.Errorf("failed to set feature gates from initial flags-based config: %w", err))
	}
	if err := validation.ValidateWebhookConfiguration(config, nil).ToAggregate(); err != nil {
		check(fmt.Errorf("error validating flags: %w", err))
	}
	config.KubeConfig = os.Getenv("KUBECONFIG")
	config.SecurePort = port("PORT_SECURE", config.SecurePort)
	config.HealthzPort = port("PORT_HEALTHZ", config.HealthzPort)
	config.MetricsListenAddress = "0"

	log := logf.Log.WithName("webhook")
	ctx := logf.NewContext(ctrl.SetupSignalHandler(), log)
	ctrl.SetLogger(log)
	server, err := webhook.NewCertManagerWebhookServer(log, *config)
	check(err)
	check(server.Run(ctx))
}

func port(variable string, otherwise int32) int32 {
	if value, err := strconv.ParseInt(os.Getenv(variable), 10, 32); err == nil {
		return int32(value)
	}
	return otherwise
}

func check(err error) {
	if err != nil {
		klog.ErrorS(err, "error executing command")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
}
