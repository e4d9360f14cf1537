import { defineScenario } from "../scenario.ts";

const registration = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "policy-webhook", annotations: { "cert-manager.io/inject-ca-from": "policy/policy-webhook" } },
  webhooks: [
    {
      name: "validate.policy.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { service: { namespace: "policy", name: "policy-webhook", path: "/validate" } },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "policy" } },
    },
  ],
};

export default defineScenario({
  title: "another product's webhook asks for the CA of a Certificate that nobody made",
  from: "healthy",
  async fault(cluster) {
    await cluster.run("kubectl create namespace policy");
    await cluster.apply(registration);
  },
  expect: { verdict: "degraded", roots: ["cainjector-source-certificate-problem"] },
});
