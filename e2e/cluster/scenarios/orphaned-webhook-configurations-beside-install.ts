import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "registrations of a release that is gone block a new install that is healthy by itself",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl apply -f https://github.com/cert-manager/cert-manager/releases/download/v1.21.1/cert-manager.crds.yaml");
    await cluster.run(`helm install cert-manager-1700000000 ${chart} --namespace old --create-namespace --wait`);
    await cluster.run("kubectl delete namespace old");
    await cluster.endLeases();
    await cluster.run(`helm install cert-manager ${chart} --namespace cert-manager --create-namespace --set startupapicheck.enabled=false --wait`);
    await cluster.failsToCreateIssuer("webhook-service-missing");
  },
  expect: { verdict: "broken", roots: ["webhook-config-orphaned"], explains: ["api-probe-failing"] },
  mends: true,
});
