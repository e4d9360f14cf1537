import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook was scaled to zero",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager scale deployment cert-manager-webhook --replicas=0");
    await cluster.run("kubectl -n cert-manager wait --for=delete pod -l app.kubernetes.io/component=webhook --timeout=30s");
    await cluster.failsToCreateIssuer("webhook-connection-refused");
  },
  expect: {
    verdict: "broken",
    roots: ["deployment-scaled-to-zero"],
    explains: ["webhook-no-endpoints", "webhook-connection-refused", "api-probe-failing"],
  },
  mends: true,
});
