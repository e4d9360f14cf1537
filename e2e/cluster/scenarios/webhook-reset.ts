import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "connections to the webhook are reset as soon as the API server speaks",
  from: "healthy",
  async fault(cluster) {
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "reset" });
    await cluster.failsToCreateIssuer("webhook-connection-reset");
  },
  expect: { verdict: "broken", roots: ["webhook-connection-reset"], explains: ["api-probe-failing"] },
});
