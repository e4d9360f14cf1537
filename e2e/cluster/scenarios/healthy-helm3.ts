import { healthyInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install with Helm 3",
  from: "empty",
  async fault(cluster) {
    await cluster.run(healthyInstall, { helm: 3 });
  },
  expect: { verdict: "healthy", roots: [] },
});
