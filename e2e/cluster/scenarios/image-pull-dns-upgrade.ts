import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade to images from a registry whose name doesn't resolve, while the old pods still run",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`${upgrade} --set imageRegistry=registry.unreachable.test`);
  },
  expect: { verdict: "degraded", roots: ["image-pull-dns"] },
});
