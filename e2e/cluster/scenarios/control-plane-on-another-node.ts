import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "packets between the control plane's node and the webhook's are dropped",
  from: "healthy",
  varies: true,
  async fault(cluster) {
    await cluster.apply({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "control-plane-0", labels: { "node-role.kubernetes.io/control-plane": "" } },
      spec: { unschedulable: true },
    });
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "drop" });
  },
  within: 40,
  expect: { verdict: "broken", roots: ["overlay-firewall"], explains: ["api-probe-failing"] },
});
