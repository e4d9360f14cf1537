import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "both registrations call a Service whose name has the release's name twice",
  from: "healthy",
  async fault(cluster) {
    const patch = [{ op: "replace", path: "/webhooks/0/clientConfig/service/name", value: "cert-managercert-manager-webhook" }];
    for (const kind of ["validating", "mutating"]) {
      await cluster.run(`kubectl patch ${kind}webhookconfiguration cert-manager-webhook --type=json -p '${JSON.stringify(patch)}'`);
    }
    await cluster.failsToCreateIssuer("webhook-config-garbled-name");
  },
  expect: { verdict: "broken", roots: ["webhook-config-garbled-name"], explains: ["api-probe-failing"] },
  mends: true,
});
