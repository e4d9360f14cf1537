import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install with a feature gate that the webhook doesn't know",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${install} --set webhook.featureGates='ServerSideApply=true' --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["pod-crashloop"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
});
