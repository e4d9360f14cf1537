import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install from a private registry with a Secret that was made in another namespace",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl create secret docker-registry regcred --docker-server=registry.private.test --docker-username=jane --docker-password=secret");
    const values = ["imageRegistry=registry.private.test", "global.imagePullSecrets[0].name=regcred", "startupapicheck.enabled=false"];
    await cluster.run(`${install} ${values.map((value) => `--set '${value}'`).join(" ")}`);
  },
  expect: { verdict: "broken", roots: ["image-pull-secret-missing"], explains: ["image-pull-unauthorized", "webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
  types: "jane\nsecret\n",
});
