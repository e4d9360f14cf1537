import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the CA bundles hold a placeholder that isn't PEM while cainjector hangs",
  from: "healthy",
  async fault(cluster) {
    await cluster.stop("cainjector");
    await writeCaBundles(cluster, "replace me\n");
    await cluster.failsToCreateIssuer("ca-bundle-malformed");
  },
  expect: { verdict: "broken", roots: ["ca-bundle-malformed"], explains: ["api-probe-failing"] },
  mends: true,
});
