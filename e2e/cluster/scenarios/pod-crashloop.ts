import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade whose webhook exits because of a wrong flag value, while the old webhook still runs",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`${upgrade} --set 'webhook.extraArgs={--tls-min-version=nonsense}'`);
  },
  expect: { verdict: "degraded", roots: ["pod-crashloop"] },
});
