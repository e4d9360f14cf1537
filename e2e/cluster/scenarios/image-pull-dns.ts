import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install in a network without internet access: the nodes can't resolve quay.io",
  from: "empty",
  async fault(cluster) {
    await cluster.hide("quay.io");
    await cluster.fails(`${install} --timeout 5s`, "helm-startupapicheck-failed");
  },
  expect: { verdict: "broken", roots: ["image-pull-dns"], explains: ["webhook-no-endpoints", "api-probe-failing", "ca-bundle-empty"] },
  mends: true,
  types: "registry.mirror.test/cert-manager\n",
});
