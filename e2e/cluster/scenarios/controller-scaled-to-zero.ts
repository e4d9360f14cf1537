import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the controller was scaled to zero",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager scale deployment cert-manager --replicas=0");
  },
  expect: { verdict: "broken", roots: ["deployment-scaled-to-zero"] },
  mends: true,
});
