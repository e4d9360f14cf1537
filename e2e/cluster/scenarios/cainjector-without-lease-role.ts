import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "cainjector starts again without the Role for its lease and finds the CA bundles emptied",
  from: "healthy",
  async fault(cluster) {
    for (const kind of ["rolebinding", "role"]) await cluster.run(`kubectl -n kube-system delete ${kind} cert-manager-cainjector:leaderelection`);
    await cluster.run("kubectl -n cert-manager rollout restart deployment/cert-manager-cainjector");
    await cluster.run("kubectl -n cert-manager rollout status deployment/cert-manager-cainjector --timeout=60s");
    const refusal = await cluster.until("cainjector to be refused", async () => {
      const log = await cluster.run("kubectl -n cert-manager logs deployment/cert-manager-cainjector");
      return log.split("\n").find((line) => line.includes("forbidden"));
    });
    cluster.said.push({ text: refusal, check: "cainjector-leader-election-forbidden" });
    await writeCaBundles(cluster, null);
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  expect: { verdict: "broken", roots: ["cainjector-leader-election-forbidden"], explains: ["api-probe-failing", "ca-bundle-empty"] },
  mends: true,
});
