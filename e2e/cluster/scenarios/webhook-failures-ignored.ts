import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's process has ended, and both registrations say to ignore failures, so nothing is refused any more",
  from: "healthy",
  async fault(cluster) {
    const patch = [{ op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" }];
    for (const kind of ["validating", "mutating"]) {
      await cluster.run(`kubectl patch ${kind}webhookconfiguration cert-manager-webhook --type=json -p '${JSON.stringify(patch)}'`);
    }
    await cluster.stop("webhook");
  },
  expect: {
    verdict: "degraded",
    roots: ["webhook-failurepolicy-ignore"],
    explains: ["probe-mutation-missing", "probe-validation-missing", "api-probe-failing"],
  },
});
