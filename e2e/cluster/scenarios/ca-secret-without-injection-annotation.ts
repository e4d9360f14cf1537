import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the CA Secret came back from a backup without the annotation that lets cainjector copy it",
  from: "healthy",
  varies: true,
  as: "admin",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager annotate secret cert-manager-webhook-ca cert-manager.io/allow-direct-injection-");
    await writeCaBundles(cluster, null);
    const refusal = await cluster.until("cainjector to refuse", async () => {
      const log = await cluster.run("kubectl -n cert-manager logs deployment/cert-manager-cainjector");
      return log.split("\n").find((line) => line.includes("does not allow direct injection"));
    });
    cluster.said.push({ text: refusal, check: "ca-secret-injection-not-allowed" });
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  expect: { verdict: "broken", roots: ["ca-secret-injection-not-allowed"], explains: ["api-probe-failing", "ca-bundle-empty"] },
  mends: true,
});
