import { upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a webhook in the host's network, in a namespace that enforces the restricted pod security standard",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl label namespace cert-manager pod-security.kubernetes.io/enforce=restricted");
    await cluster.run(`${upgrade} --set webhook.hostNetwork=true --set webhook.securePort=10260`);
  },
  expect: { verdict: "degraded", roots: ["podsecurity-rejected"] },
  mends: true,
  after: (cluster) => cluster.rolledOut(),
});
