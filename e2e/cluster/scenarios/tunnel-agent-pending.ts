import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the only agent of the control plane's tunnel has no node, and calls are lost",
  from: "healthy",
  varies: true,
  async fault(cluster) {
    await cluster.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "konnectivity-agent-0", namespace: "kube-system", labels: { "k8s-app": "konnectivity-agent" } },
      spec: {
        nodeSelector: { "example.com/pool": "none" },
        containers: [{ name: "konnectivity-agent", image: "registry.k8s.io/kas-network-proxy/proxy-agent:v0.33.0" }],
      },
    });
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "drop" });
  },
  within: 40,
  expect: { verdict: "broken", roots: ["konnectivity-broken"], explains: ["api-probe-failing"] },
});
