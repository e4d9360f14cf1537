import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "one CRD was deleted under an install by kubectl",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.21.1/cert-manager.yaml");
    await cluster.run("kubectl -n cert-manager rollout status deployment/cert-manager-webhook");
    await cluster.run("kubectl delete crd issuers.cert-manager.io --timeout=30s");
    await cluster.failsToCreateIssuer("crds-missing");
  },
  expect: { verdict: "broken", roots: ["crds-missing"] },
  mends: true,
});
