import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a node selector for all components that no node satisfies",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${install} --set global.nodeSelector.pool=infra --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["pod-unschedulable"], explains: ["webhook-no-endpoints", "api-probe-failing", "ca-bundle-empty"] },
  mends: true,
});
