import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's Service has another port than the one that is called",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(
      `kubectl -n cert-manager patch service cert-manager-webhook --type=json -p '[{"op":"replace","path":"/spec/ports/0/port","value":8443}]'`,
    );
    await cluster.untilRefusing();
    await cluster.failsToCreateIssuer("webhook-service-port-mismatch");
  },
  expect: { verdict: "broken", roots: ["webhook-service-port-mismatch"], explains: ["api-probe-failing"] },
  mends: true,
});
