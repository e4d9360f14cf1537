import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the CA bundles were emptied while cainjector hangs",
  from: "healthy",
  async fault(cluster) {
    await cluster.stop("cainjector");
    await writeCaBundles(cluster, null);
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  expect: { verdict: "broken", roots: ["ca-bundle-empty"], explains: ["api-probe-failing"] },
  mends: true,
});
