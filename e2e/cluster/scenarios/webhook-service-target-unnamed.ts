import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook's Service leads to a port name that no container has",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(
      `kubectl -n cert-manager patch service cert-manager-webhook --type=json -p '[{"op":"replace","path":"/spec/ports/0/targetPort","value":"webhook"}]'`,
    );
    await cluster.untilRefusing();
    await cluster.failsToCreateIssuer("webhook-connection-refused");
  },
  expect: { verdict: "broken", roots: ["webhook-service-port-mismatch"], explains: ["webhook-connection-refused", "api-probe-failing"] },
  mends: true,
});
