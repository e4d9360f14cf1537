import { expect, test } from "vitest";
import type { Container, Deployment, Pod } from "../model/kubernetes.ts";
import { helmWithValues } from "./chart-values.ts";
import { bypassMesh, meshOf } from "./mesh.ts";

const own: Container = { name: "cert-manager-webhook", image: "quay.io/jetstack/cert-manager-webhook:v1.21.1" };
const sidecar = (name: string): Container => ({ name, image: "registry.example.com/sidecar:1" });
const pod = (containers: readonly Container[], initContainers: readonly Container[] = [], annotations = {}): Pod => ({
  metadata: { name: "webhook", namespace: "cert-manager", annotations },
  spec: { containers, initContainers },
});

test.each([
  ["no sidecar", pod([own]), undefined],
  ["another kind of sidecar", pod([own, sidecar("vault-agent")]), undefined],
  ["a sidecar beside the webhook", pod([own, sidecar("istio-proxy")]), "spec.containers[1].name"],
  ["a sidecar that starts first", pod([own], [sidecar("linkerd-proxy")]), "spec.initContainers[0].name"],
  ["one that leaves the port alone", pod([own, sidecar("istio-proxy")], [], { "traffic.sidecar.istio.io/excludeInboundPorts": "6080, 10250" }), undefined],
  [
    "one that leaves a longer number alone",
    pod([own, sidecar("istio-proxy")], [], { "traffic.sidecar.istio.io/excludeInboundPorts": "102501" }),
    "spec.containers[1].name",
  ],
])("%s", (_, of, path) => {
  expect(meshOf(of, 10250)?.path).toBe(path);
});

test("the port stays a string, whichever way the annotation is set", () => {
  const webhook: Deployment = { metadata: { name: "cert-manager-webhook", namespace: "cert-manager" }, spec: { template: { spec: { containers: [own] } } } };
  const mesh = { name: "Linkerd", container: "linkerd-proxy", annotation: "config.linkerd.io/skip-inbound-ports" };
  expect(bypassMesh(webhook, mesh, 10250)).toContain('"config.linkerd.io/skip-inbound-ports":"10250"');
  const install = { namespace: "cert-manager", release: "cert-manager", method: "helm", version: "v1.21.1", components: { webhook } } as const;
  expect(helmWithValues(install, { webhook: { podAnnotations: { [mesh.annotation]: "10250" }, timeoutSeconds: 30 } })).toBe(
    [
      "helm upgrade cert-manager oci://quay.io/jetstack/charts/cert-manager",
      "--namespace cert-manager --version v1.21.1",
      "--reset-then-reuse-values",
      "--set-string 'webhook.podAnnotations.config\\.linkerd\\.io/skip-inbound-ports=10250'",
      "--set webhook.timeoutSeconds=30",
    ].join(" \\\n  "),
  );
});
