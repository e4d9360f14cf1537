import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "only the mutating registration leaves a namespace out, so the validating one refuses every CertificateRequest there",
  from: "healthy",
  async fault(cluster) {
    const selector = { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["default"] }] };
    const patch = [{ op: "replace", path: "/webhooks/0/namespaceSelector", value: selector }];
    await cluster.run(`kubectl patch mutatingwebhookconfiguration cert-manager-webhook --type=json -p '${JSON.stringify(patch)}'`);
    const request = { apiVersion: "cert-manager.io/v1", kind: "CertificateRequest", metadata: { name: "refused", namespace: "default" } };
    const spec = { request: Buffer.from("any").toString("base64"), issuerRef: { name: "self-signed" } };
    await cluster.fails("kubectl create -f -", "webhook-config-missing", { input: JSON.stringify({ ...request, spec }) });
  },
  expect: { verdict: "broken", roots: ["webhook-rule-tampered"], explains: ["probe-mutation-incorrect", "api-probe-failing"] },
  mends: true,
});
