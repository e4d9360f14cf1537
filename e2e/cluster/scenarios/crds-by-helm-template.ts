import { chart, install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "CRDs that helm template rendered and kubectl applied have Helm's label, and Helm refuses them all the same",
  from: "empty",
  async fault(cluster) {
    await cluster.run(
      `helm template cert-manager ${chart} --namespace cert-manager --set crds.enabled=true --show-only 'templates/crd-*.yaml' | kubectl apply -f -`,
    );
    await cluster.fails(install, "helm-ownership-missing", { helm: 3 });
    await cluster.fails(install, "helm-ownership-missing", { helm: 4 });
  },
  expect: { verdict: "broken", roots: ["crds-only-leftover"], explains: ["helm-ownership-missing"] },
  mends: true,
  async after(cluster) {
    await cluster.run(install.replace("helm install", "helm upgrade --install"));
  },
});
