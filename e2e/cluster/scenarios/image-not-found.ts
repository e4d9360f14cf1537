import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install with image tags that lack their v",
  from: "empty",
  async fault(cluster) {
    const tags = ["image", "webhook.image", "cainjector.image", "startupapicheck.image"].map((image) => `--set ${image}.tag=1.21.1`);
    await cluster.fails(`${install} ${tags.join(" ")} --timeout 5s`, "helm-startupapicheck-failed", { helm: 3 });
  },
  expect: { verdict: "broken", roots: ["image-not-found"], explains: ["webhook-no-endpoints", "api-probe-failing", "ca-bundle-empty"] },
  mends: true,
});
