import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "cert-manager runs beside older CRDs that kubectl applied, and kubectl marks them as the release's own",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.14.7/cert-manager.crds.yaml");
    await cluster.run(`helm install cert-manager ${chart} --namespace cert-manager --create-namespace --wait`);
    await cluster.fails(`helm upgrade cert-manager ${chart} --namespace cert-manager --set crds.enabled=true`, "helm-ownership-missing");
  },
  reported: true,
  expect: { verdict: "broken", roots: ["helm-ownership-missing", "crds-version-skew"] },
  mends: true,
  prefers: "kubectl",
});
