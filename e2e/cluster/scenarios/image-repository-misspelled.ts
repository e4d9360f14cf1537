import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a repository that quay.io doesn't have, which it answers like a private one",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${install} --set webhook.image.name=cert-manager-webook --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["image-pull-unauthorized"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
});
