import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a second release in another namespace, which waits for the lease of the first",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`helm install pki ${chart} --namespace security --create-namespace --wait`);
  },
  expect: { verdict: "degraded", roots: ["multiple-installs"] },
});
