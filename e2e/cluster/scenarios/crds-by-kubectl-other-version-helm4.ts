import { install, upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "kubectl applied the CRDs of an older version, and Helm 4 doesn't install cert-manager over them",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.14.7/cert-manager.crds.yaml");
    await cluster.fails(install, "helm-ownership-missing", { helm: 4 });
  },
  expect: { verdict: "broken", roots: ["crds-only-leftover"], explains: ["helm-ownership-missing"] },
  mends: true,
  helm: 4,
  async after(cluster) {
    await cluster.run(`${upgrade} --version v1.20.2`, { helm: 4 });
    await cluster.run(upgrade, { helm: 4 });
  },
});
