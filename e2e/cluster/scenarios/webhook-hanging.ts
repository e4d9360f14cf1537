import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "something takes connections in the webhook's place and never says a word",
  from: "healthy",
  async fault(cluster) {
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "hang" });
    await cluster.failsToCreateIssuer("webhook-tls-handshake-timeout");
  },
  expect: { verdict: "broken", roots: ["webhook-tls-handshake-timeout"], explains: ["api-probe-failing"] },
});
