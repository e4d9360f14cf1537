import { firstInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

const service = "cert-manager/cert-manager-webhook";
const operator = { namespace: "default", name: "operator" };
const manifest = JSON.stringify({
  apiVersion: "v1",
  kind: "List",
  items: [
    { apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: operator, spec: { selfSigned: {} } },
    {
      apiVersion: "cert-manager.io/v1",
      kind: "Certificate",
      metadata: operator,
      spec: { secretName: "operator-tls", dnsNames: ["operator.default.svc"], issuerRef: { name: operator.name } },
    },
  ],
});

export default defineScenario({
  title: "another operator asked for its certificate before the webhook answered, and succeeded later",
  from: "empty",
  reported: true,
  async fault(cluster) {
    await cluster.behind(service, { kind: "refuse" });
    await cluster.run(firstInstall);
    await cluster.run("kubectl wait crd/certificates.cert-manager.io crd/issuers.cert-manager.io --for=condition=Established --timeout=30s");
    await cluster.fails("kubectl apply -f -", "webhook-connection-refused", { input: manifest });
    await cluster.behind(service, null);
    await cluster.until("the operator to succeed", async () => (await cluster.try("kubectl apply -f -", { input: manifest })).code === 0, 60_000);
    await cluster.run("kubectl wait certificate/operator --for=condition=Ready --timeout=60s");
  },
  expect: { verdict: "healthy", roots: ["dependent-operator-too-early"] },
});
