import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "cert-manager runs beside CRDs that kubectl applied, and an upgrade that is to bring CRDs is refused",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.21.1/cert-manager.crds.yaml");
    await cluster.run(`helm install cert-manager ${chart} --namespace cert-manager --create-namespace --wait`);
    const upgrade = `helm upgrade cert-manager ${chart} --namespace cert-manager --set crds.enabled=true`;
    await cluster.fails(upgrade, "helm-ownership-missing", { helm: 3 });
    await cluster.fails(upgrade, "helm-ownership-missing", { helm: 4 });
  },
  reported: true,
  expect: { verdict: "broken", roots: ["helm-ownership-missing"] },
  mends: true,
  async after(cluster) {
    await cluster.run(`helm upgrade cert-manager ${chart} --namespace cert-manager --set crds.enabled=true`);
  },
});
