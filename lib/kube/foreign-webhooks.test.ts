import { expect, test } from "vitest";
import { productOfWebhook } from "./foreign-webhooks.ts";

test.each([
  ["validate.nginx.ingress.kubernetes.io", "ingress-nginx"],
  ["mutate.kyverno.svc-fail", "Kyverno"],
  ["validation.gatekeeper.sh", "Gatekeeper"],
  ["rev.validation.istio.io", "Istio"],
  ["linkerd-proxy-injector.linkerd.io", "Linkerd"],
  ["prometheusrulemutate.monitoring.coreos.com", "Prometheus Operator"],
  ["rancher.cattle.io.namespaces", "Rancher"],
  ["mservice.elbv2.k8s.aws", "AWS Load Balancer Controller"],
  ["minstrumentation.kb.io", "OpenTelemetry Operator"],
  ["ipaddresspoolvalidationwebhook.metallb.io", "MetalLB"],
  ["elastic-es-validation-v1.k8s.elastic.co", "Elastic Cloud on Kubernetes"],
  ["mcluster.cnpg.io", "CloudNativePG"],
  ["trust.cert-manager.io", "trust-manager"],
  ["policy.cert-manager.io", "approver-policy"],
  ["mutate.runnerdeployment.actions.summerwind.dev", "Actions Runner Controller"],
  ["default.cluster.cluster.x-k8s.io", "Cluster API"],
  ["webhook.serving.knative.dev", "Knative"],
  ["vnifi.cfm.cloudera.com", null],
])("%s belongs to %s", (hook, product) => {
  expect(productOfWebhook({ hook })).toBe(product);
});

test("a Service tells where the webhook's name doesn't", () => {
  expect(productOfWebhook({ hook: "mpod.kb.io", service: "opentelemetry-operator-webhook" })).toBe("OpenTelemetry Operator");
});
