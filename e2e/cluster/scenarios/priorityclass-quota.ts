import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "pods of a system priority class in a namespace without a quota for it, as on GKE",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${install} --set global.priorityClassName=system-cluster-critical --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["priorityclass-quota"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
});
