import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install where all nodes are kept for others by a taint",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl taint nodes --all dedicated=infra:NoSchedule");
    await cluster.run(`${install} --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["pod-unschedulable"], explains: ["webhook-no-endpoints", "api-probe-failing", "ca-bundle-empty"] },
  mends: true,
  types: "dedicated\n",
});
