import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "both registrations were deleted, so nothing asks the webhook",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl delete mutatingwebhookconfiguration,validatingwebhookconfiguration cert-manager-webhook");
  },
  expect: { verdict: "degraded", roots: ["webhook-config-missing"], explains: ["api-probe-failing"] },
  mends: true,
});
