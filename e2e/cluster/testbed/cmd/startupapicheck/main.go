// Command startupapicheck is cert-manager's API check as its chart's Job and cmctl run it: `check api --wait=1m`.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/cert-manager/cert-manager/pkg/util/cmapichecker"
	"github.com/cert-manager/cert-manager/testbed/flags"
)

func main() {
	set := flags.New("startupapicheck")
	wait := set.Duration("wait", 0, "")
	// Inside a pod the client's default is the pod's own namespace.
	namespace := set.String("namespace", os.Getenv("POD_NAMESPACE"), "")
	if err := set.Parse(os.Args[1:]); err != nil {
		fail(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fail(err)
	}
	checker, err := cmapichecker.New(config, *namespace)
	if err != nil {
		fail(err)
	}
	for deadline := time.Now().Add(*wait); ; time.Sleep(5 * time.Second) {
		err := checker.Check(context.Background())
		if err == nil {
			fmt.Println("The cert-manager API is ready")
			return
		}
		fmt.Fprintf(os.Stderr, "Not ready: %v\n", err)
		if time.Now().After(deadline) {
			fail(context.DeadlineExceeded)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}
