import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "plain HTTP is spoken where the webhook's TLS is expected",
  from: "healthy",
  async fault(cluster) {
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "plain-http" });
    await cluster.failsToCreateIssuer("webhook-serving-insecurely");
  },
  expect: { verdict: "broken", roots: ["webhook-serving-insecurely"], explains: ["api-probe-failing"] },
});
