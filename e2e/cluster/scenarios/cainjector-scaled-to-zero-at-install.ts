import { firstInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "installed with no replica of cainjector, so that the CA bundles were never filled",
  from: "empty",
  within: 60,
  async fault(cluster) {
    await cluster.run(`${firstInstall} --set cainjector.replicaCount=0`);
  },
  expect: {
    verdict: "broken",
    roots: ["deployment-scaled-to-zero"],
    explains: ["api-probe-failing", "ca-bundle-empty", "cainjector-not-running"],
  },
  mends: true,
});
