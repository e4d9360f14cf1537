import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an install under another name, in another namespace, with two webhooks",
  from: "empty",
  async fault(cluster) {
    await cluster.run(
      `helm install pki ${chart} --namespace security --create-namespace --set crds.enabled=true --set webhook.replicaCount=2 --wait --timeout 2m`,
    );
  },
  expect: { verdict: "healthy", roots: [] },
});
