import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a webhook that never becomes ready, because it lost the right to write its CA Secret",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager delete role cert-manager-webhook:dynamic-serving");
    await cluster.run("kubectl -n cert-manager delete secret cert-manager-webhook-ca");
    await cluster.run("kubectl -n cert-manager delete pods -l app.kubernetes.io/component=webhook");
    await cluster.until("the webhook to complain", async () => {
      const { stdout } = await cluster.try("kubectl -n cert-manager logs -l app.kubernetes.io/component=webhook --tail=50");
      return stdout.includes("is forbidden");
    });
  },
  as: "admin",
  expect: { verdict: "broken", roots: ["ca-secret-rbac"], explains: ["ca-secret-missing", "webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
});
