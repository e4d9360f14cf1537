import { defineScenario } from "../scenario.ts";

const service = "cert-manager/cert-manager-webhook";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

export default defineScenario({
  title: "the webhook may not write its CA Secret any more, and its CA has expired",
  from: "healthy",
  as: "admin",
  async fault(cluster) {
    await cluster.run("kubectl -n cert-manager delete rolebinding cert-manager-webhook:dynamic-serving");
    // A CA that the webhook takes over, since more than a third of its life is left, and couldn't renew later.
    const { certificate, key } = await cluster.certificate("--ca", "--name=cert-manager-webhook-ca", "--from=-20s", "--until=25s");
    const expires = Date.now() + 26_000;
    const data = { "ca.crt": base64(certificate), "tls.crt": base64(certificate), "tls.key": base64(key) };
    await cluster.run(`kubectl -n cert-manager patch secret cert-manager-webhook-ca -p '${JSON.stringify({ data })}'`);
    await cluster.until("the CA to expire", async () => Date.now() > expires);
    // The API server checks a certificate when it connects: it has to do so again.
    await cluster.behind(service, { kind: "refuse" });
    await cluster.behind(service, null);
    // The text alone doesn't tell which of the two certificates it is about.
    await cluster.failsToCreateIssuer("webhook-serving-cert-expired");
  },
  expect: { verdict: "broken", roots: ["ca-secret-rbac"], explains: ["webhook-ca-expired", "api-probe-failing"] },
  mends: true,
});
