import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade to a mirror that nobody copied the images into, while the old pods still run",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`${upgrade} --set imageRegistry=registry.empty.test`);
  },
  expect: { verdict: "degraded", roots: ["image-not-found"] },
  mends: true,
  after: (cluster) => cluster.rolledOut(),
});
