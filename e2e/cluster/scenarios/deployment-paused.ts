import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade of a webhook whose rollout somebody had paused",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager rollout pause deployment/cert-manager-webhook");
    await cluster.run(`${upgrade} --set webhook.resources.requests.cpu=10m`);
  },
  expect: { verdict: "degraded", roots: ["deployment-paused"] },
  mends: true,
  after: (cluster) => cluster.rolledOut(),
});
