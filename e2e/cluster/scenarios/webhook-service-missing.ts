import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's Service was deleted",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager delete service cert-manager-webhook");
    await cluster.failsToCreateIssuer("webhook-service-missing");
  },
  expect: { verdict: "broken", roots: ["webhook-service-missing"], explains: ["api-probe-failing"] },
  mends: true,
});
