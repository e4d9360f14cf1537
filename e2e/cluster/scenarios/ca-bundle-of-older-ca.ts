import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook made its CA anew while cainjector hangs, so the CA bundles have the old one",
  from: "healthy",
  async fault(cluster) {
    await cluster.stop("cainjector");
    await cluster.run("kubectl -n cert-manager delete secret cert-manager-webhook-ca");
    await cluster.run("kubectl -n cert-manager rollout restart deployment/cert-manager-webhook");
    await cluster.run("kubectl -n cert-manager rollout status deployment/cert-manager-webhook --timeout=60s");
    await cluster.failsToCreateIssuer("ca-bundle-mismatch");
  },
  expect: { verdict: "broken", roots: ["ca-bundle-mismatch"], explains: ["api-probe-failing"] },
  mends: true,
});
