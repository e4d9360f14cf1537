import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's process has ended, its pod still counts as ready",
  from: "healthy",
  async fault(cluster) {
    await cluster.stop("webhook");
    await cluster.failsToCreateIssuer("webhook-connection-refused");
  },
  expect: { verdict: "broken", roots: ["webhook-connection-refused"], explains: ["api-probe-failing"] },
  mends: true,
});
