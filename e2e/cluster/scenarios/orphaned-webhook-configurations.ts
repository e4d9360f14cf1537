import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the namespace of a release with a generated name was deleted, and its registrations go on calling the webhook that went with it",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`helm install cert-manager-1700000000 ${chart} --namespace cert-manager --create-namespace --set crds.enabled=true --wait`);
    await cluster.run("kubectl delete namespace cert-manager");
    await cluster.endLeases();
    await cluster.failsToCreateIssuer("webhook-service-missing");
  },
  expect: { verdict: "broken", roots: ["crds-only-leftover", "webhook-config-orphaned"] },
  mends: true,
});
