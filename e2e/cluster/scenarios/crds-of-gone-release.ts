import { chart, install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a release was uninstalled, its CRDs were kept, and another release can't have them",
  from: "empty",
  async fault(cluster) {
    await cluster.run(install, { helm: 3 });
    await cluster.uninstall({ helm: 3 });
    const other = `helm install pki ${chart} --namespace security --create-namespace --set crds.enabled=true`;
    await cluster.fails(other, "helm-ownership-other-release", { helm: 3 });
    await cluster.fails(other, "helm-ownership-other-release", { helm: 4 });
  },
  reported: true,
  expect: { verdict: "broken", roots: ["crds-only-leftover"], explains: ["helm-ownership-other-release"] },
  mends: true,
  async after(cluster) {
    await cluster.run(`helm upgrade --install pki ${chart} --namespace security --set crds.enabled=true`);
  },
});
