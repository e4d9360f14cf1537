import { healthyInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "connections to the webhook hang, and its calls end before a TLS handshake would",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${healthyInstall} --set webhook.timeoutSeconds=5`);
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "hang" });
    await cluster.failsToCreateIssuer("webhook-context-deadline");
  },
  expect: { verdict: "broken", roots: ["webhook-context-deadline", "webhook-timeout-low"], explains: ["api-probe-failing"] },
});
