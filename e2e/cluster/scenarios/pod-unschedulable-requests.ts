import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade whose webhook asks for more memory than a node has, while the old webhook still runs",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`${upgrade} --set webhook.resources.requests.memory=64Gi`);
  },
  expect: { verdict: "degraded", roots: ["pod-unschedulable"] },
  mends: true,
  after: (cluster) => cluster.rolledOut(),
});
