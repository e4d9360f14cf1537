import { defineScenario } from "../scenario.ts";

const product = { namespace: "policy", name: "policy-webhook" };
const issuer = { apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { ...product, name: "self-signed" }, spec: { selfSigned: {} } };
const certificate = {
  apiVersion: "cert-manager.io/v1",
  kind: "Certificate",
  metadata: product,
  spec: { secretName: "policy-webhook-tls", dnsNames: ["policy-webhook.policy.svc"], issuerRef: { name: "self-signed" } },
};
const registration = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: product.name, annotations: { "cert-manager.io/inject-ca-from": "policy/policy-webhook" } },
  webhooks: [
    {
      name: "validate.policy.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { service: { ...product, path: "/validate" } },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": product.namespace } },
    },
  ],
};
const decode = (text: string | undefined): string => Buffer.from(text ?? "", "base64").toString();

export default defineScenario({
  title: "another product's webhook waits in vain for its CA while cainjector is scaled to zero",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl create namespace policy && kubectl -n policy create service clusterip policy-webhook --tcp=443:9443");
    await cluster.apply(issuer, certificate);
    await cluster.run("kubectl -n policy wait certificate/policy-webhook --for=condition=Ready --timeout=30s");
    const { data } = await cluster.get<{ data: Record<string, string> }>("-n policy secret policy-webhook-tls");
    await cluster.behind("policy/policy-webhook", { kind: "certificate", certificate: decode(data["tls.crt"]), key: decode(data["tls.key"]) });
    await cluster.run("kubectl -n cert-manager scale deployment/cert-manager-cainjector --replicas=0");
    await cluster.run("kubectl -n cert-manager wait --for=delete pod -l app.kubernetes.io/component=cainjector --timeout=30s");
    await cluster.apply(registration);
    await cluster.fails("kubectl -n policy create configmap rules", null);
  },
  expect: { verdict: "degraded", roots: ["deployment-scaled-to-zero"], explains: ["cainjector-not-running", "cainjector-source-certificate-problem"] },
  mends: true,
  async after(cluster) {
    await cluster.until("the other product's webhook to be trusted", async () => {
      const { stderr } = await cluster.try("kubectl -n policy create configmap rules");
      return stderr !== "" && !stderr.includes("x509");
    });
  },
});
