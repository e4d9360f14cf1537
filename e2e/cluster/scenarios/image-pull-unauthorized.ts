import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install from a private registry, without credentials",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${install} --set imageRegistry=registry.private.test --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["image-pull-unauthorized"], explains: ["webhook-no-endpoints", "api-probe-failing", "ca-bundle-empty"] },
  mends: true,
  types: "jane\nsecret\n",
});
