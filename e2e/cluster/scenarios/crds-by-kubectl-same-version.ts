import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "kubectl applied the CRDs, and no Helm installs cert-manager of the same version over them",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.21.1/cert-manager.crds.yaml");
    await cluster.fails(install, "helm-ownership-missing", { helm: 3 });
    await cluster.fails(install, "helm-ownership-missing", { helm: 4 });
  },
  expect: { verdict: "broken", roots: ["crds-only-leftover"], explains: ["helm-ownership-missing"] },
  mends: true,
  async after(cluster) {
    await cluster.run(install.replace("helm install", "helm upgrade --install"));
  },
});
