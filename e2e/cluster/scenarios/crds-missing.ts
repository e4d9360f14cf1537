import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the CRDs were deleted under a release that runs",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl delete crd --selector=app.kubernetes.io/name=cert-manager --timeout=30s");
    await cluster.failsToCreateIssuer("crds-missing");
    await cluster.fails("kubectl get certificates --all-namespaces", "crds-missing");
  },
  expect: { verdict: "broken", roots: ["crds-missing"] },
  mends: true,
});
