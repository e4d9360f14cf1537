import { healthyInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "packets to the webhook are dropped, and its calls end too soon to tell",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${healthyInstall} --set webhook.timeoutSeconds=5`);
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "drop" });
    await cluster.failsToCreateIssuer("webhook-context-deadline");
  },
  expect: { verdict: "broken", roots: ["webhook-context-deadline", "webhook-timeout-low"], explains: ["api-probe-failing"] },
});
