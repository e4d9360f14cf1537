import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the mutating registration was deleted, so the validating one refuses every request",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl delete mutatingwebhookconfiguration cert-manager-webhook");
    const request = { apiVersion: "cert-manager.io/v1", kind: "CertificateRequest", metadata: { name: "refused", namespace: "default" } };
    const spec = { request: Buffer.from("any").toString("base64"), issuerRef: { name: "self-signed" } };
    await cluster.fails("kubectl create -f -", "webhook-config-missing", { input: JSON.stringify({ ...request, spec }) });
  },
  expect: { verdict: "broken", roots: ["webhook-config-missing"], explains: ["api-probe-failing"] },
  mends: true,
});
