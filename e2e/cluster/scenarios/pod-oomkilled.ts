import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a memory limit that cainjector doesn't start with",
  from: "empty",
  async fault(cluster) {
    await cluster.fails(`${install} --set cainjector.resources.limits.memory=8Mi --timeout 10s`, "helm-startupapicheck-failed");
  },
  expect: { verdict: "broken", roots: ["pod-oomkilled"], explains: ["pod-crashloop", "cainjector-not-running", "ca-bundle-empty"] },
  mends: true,
});
