import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install with Helm 3 whose check afterwards fails, because a value switches the webhook off",
  from: "empty",
  async fault(cluster) {
    await cluster.fails(`${install} --set webhook.replicaCount=0 --timeout 10s`, "helm-startupapicheck-failed", { helm: 3 });
  },
  expect: { verdict: "broken", roots: ["deployment-scaled-to-zero"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
  helm: 3,
  mends: true,
});
