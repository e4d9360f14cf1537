import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the API server's machine has no route to the webhook's address",
  from: "healthy",
  async fault(cluster) {
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "no-route" });
    await cluster.failsToCreateIssuer("webhook-no-route");
  },
  expect: { verdict: "broken", roots: ["webhook-no-route"], explains: ["api-probe-failing"] },
});
