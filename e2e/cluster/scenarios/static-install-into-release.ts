import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "kubectl installed cert-manager, and Helm is to install it over that",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.21.1/cert-manager.yaml");
    await cluster.run("kubectl -n cert-manager rollout status deployment/cert-manager-webhook");
    await cluster.fails(install, "helm-ownership-missing", { helm: 3 });
    await cluster.fails(install, "helm-ownership-missing", { helm: 4 });
  },
  reported: true,
  expect: { verdict: "broken", roots: ["helm-ownership-missing"] },
  mends: true,
  async after(cluster) {
    await cluster.run(install.replace("helm install", "helm upgrade --install"));
  },
});
