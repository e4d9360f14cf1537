import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an upgrade whose webhook comes from a private registry without credentials, while the old webhook still runs",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`${upgrade} --set webhook.image.repository=registry.private.test/jetstack/cert-manager-webhook`);
  },
  expect: { verdict: "degraded", roots: ["image-pull-unauthorized"] },
  mends: true,
  types: "jane\nsecret\n",
  after: (cluster) => cluster.rolledOut(),
});
