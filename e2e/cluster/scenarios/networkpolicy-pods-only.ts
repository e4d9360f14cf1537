import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a NetworkPolicy lets in pods of the namespace alone, and calls from the API server are dropped",
  from: "healthy",
  varies: true,
  async fault(cluster) {
    await cluster.apply({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "allow-same-namespace", namespace: "cert-manager" },
      spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ from: [{ podSelector: {} }] }] },
    });
    // Nothing enforces policies here: this is what a network plugin that does would do.
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "drop" });
  },
  within: 40,
  expect: { verdict: "broken", roots: ["networkpolicy-blocks-webhook"], explains: ["api-probe-failing"] },
});
