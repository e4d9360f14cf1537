import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "Helm 4 was told to take over older CRDs that kubectl applied, and stops at fields that kubectl set",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.14.7/cert-manager.crds.yaml");
    await cluster.fails(`${install} --take-ownership`, "helm-ssa-conflict", { helm: 4 });
    await cluster.fails(install, "helm-name-in-use", { helm: 3 });
    await cluster.fails(install, "helm-name-in-use", { helm: 4 });
  },
  expect: { verdict: "degraded", roots: ["crds-version-skew"] },
  mends: true,
});
