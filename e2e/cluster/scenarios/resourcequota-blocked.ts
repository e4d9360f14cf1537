import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a quota on cpu and memory in the namespace, and pods that ask for none",
  from: "empty",
  async fault(cluster) {
    await cluster.run("kubectl create namespace cert-manager");
    await cluster.run("kubectl -n cert-manager create quota compute --hard=requests.cpu=1,requests.memory=1Gi,limits.cpu=2,limits.memory=2Gi");
    await cluster.run(`${install} --set startupapicheck.enabled=false`);
  },
  expect: { verdict: "broken", roots: ["resourcequota-blocked"], explains: ["webhook-no-endpoints", "api-probe-failing"] },
  mends: true,
});
