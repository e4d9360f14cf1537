import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the Service's selector was edited, so that it finds no pod",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(
      `kubectl -n cert-manager patch service cert-manager-webhook --type merge --patch '{"spec":{"selector":{"app.kubernetes.io/component":"admission"}}}'`,
    );
    await cluster.until("the Service to lose its endpoint", async () => {
      const { items } = await cluster.get<{ items: { endpoints?: unknown[] | null }[] }>(
        "endpointslices -n cert-manager -l kubernetes.io/service-name=cert-manager-webhook",
      );
      return items.every(({ endpoints }) => !endpoints?.length);
    });
    await cluster.failsToCreateIssuer("webhook-connection-refused");
  },
  expect: { verdict: "broken", roots: ["webhook-no-endpoints"], explains: ["webhook-connection-refused", "api-probe-failing"] },
  mends: true,
});
