import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade to a private registry with a Secret that doesn't exist, while the old pods still run",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`${upgrade} --set imageRegistry=registry.private.test --set 'global.imagePullSecrets[0].name=regcred'`);
  },
  expect: { verdict: "degraded", roots: ["image-pull-secret-missing"], explains: ["image-pull-unauthorized"] },
  mends: true,
  types: "jane\nsecret\n",
  after: (cluster) => cluster.rolledOut(),
});
