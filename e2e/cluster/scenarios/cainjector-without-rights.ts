import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "cainjector lost its ClusterRoleBinding and finds the CA bundles emptied",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl delete clusterrolebinding cert-manager-cainjector");
    await cluster.run("kubectl -n cert-manager rollout restart deployment/cert-manager-cainjector");
    const refusal = await cluster.until("cainjector to be refused", async () => {
      const { stdout } = await cluster.try("kubectl -n cert-manager logs -l app.kubernetes.io/component=cainjector --tail=100");
      return stdout.split("\n").find((line) => line.includes("mutatingwebhookconfigurations") && line.includes("forbidden"));
    });
    cluster.said.push({ text: refusal, check: "cainjector-rbac" });
    await writeCaBundles(cluster, null);
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  expect: { verdict: "broken", roots: ["cainjector-rbac"], explains: ["api-probe-failing", "ca-bundle-empty"] },
  mends: true,
});
