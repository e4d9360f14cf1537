import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a CRD still names a conversion webhook, although everything is stored in version v1",
  from: "healthy",
  async fault(cluster) {
    const service = { namespace: "cert-manager", name: "cert-manager-webhook", path: "/convert" };
    const conversion = { strategy: "Webhook", webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] } };
    await cluster.run(`kubectl patch crd issuers.cert-manager.io --type=merge -p '${JSON.stringify({ spec: { conversion } })}'`);
  },
  expect: { verdict: "healthy", roots: ["crd-conversion-webhook-leftover"] },
  mends: true,
});
