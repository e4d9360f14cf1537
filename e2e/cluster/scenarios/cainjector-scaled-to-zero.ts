import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the CA bundles were emptied while cainjector is scaled to zero",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager scale deployment/cert-manager-cainjector --replicas=0");
    await cluster.run("kubectl -n cert-manager wait --for=delete pod -l app.kubernetes.io/component=cainjector --timeout=30s");
    await writeCaBundles(cluster, null);
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  expect: {
    verdict: "broken",
    roots: ["deployment-scaled-to-zero"],
    explains: ["api-probe-failing", "ca-bundle-empty", "cainjector-not-running"],
  },
  mends: true,
});
