import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "an uninstalled release left its record and its CRDs, and another namespace is to have the same release",
  from: "healthy",
  async fault(cluster) {
    await cluster.uninstall({ flags: "--keep-history" });
    await cluster.fails(`helm install cert-manager ${chart} --namespace security --create-namespace --set crds.enabled=true`, "helm-ownership-other-release");
  },
  reported: true,
  expect: { verdict: "broken", roots: ["crds-only-leftover"], explains: ["helm-ownership-other-release"] },
  mends: true,
  async after(cluster) {
    await cluster.run("helm status cert-manager --namespace security");
  },
});
