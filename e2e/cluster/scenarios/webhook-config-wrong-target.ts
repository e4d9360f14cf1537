import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the validating registration calls another namespace than the one that cert-manager is in",
  from: "healthy",
  async fault(cluster) {
    const patch = [{ op: "replace", path: "/webhooks/0/clientConfig/service/namespace", value: "certs" }];
    await cluster.run(`kubectl patch validatingwebhookconfiguration cert-manager-webhook --type=json -p '${JSON.stringify(patch)}'`);
    await cluster.failsToCreateIssuer("webhook-service-missing");
  },
  expect: { verdict: "broken", roots: ["webhook-config-wrong-target"], explains: ["api-probe-failing"] },
  mends: true,
});
