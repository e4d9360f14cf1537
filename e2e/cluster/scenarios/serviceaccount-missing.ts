import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's ServiceAccount was deleted, and then its pod",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager delete serviceaccount cert-manager-webhook");
    await cluster.run("kubectl -n cert-manager delete pods -l app.kubernetes.io/component=webhook");
  },
  expect: { verdict: "broken", roots: ["serviceaccount-missing"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
});
