import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a first install with kubectl and the published manifest",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.21.1/cert-manager.yaml");
  },
  expect: { verdict: "healthy", roots: [] },
});
