import { createPrivateKey } from "node:crypto";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "another server answers in the webhook's place, with a certificate that is trusted",
  from: "healthy",
  async fault(cluster) {
    const names = ["cert-manager-webhook", "cert-manager-webhook.cert-manager", "cert-manager-webhook.cert-manager.svc"];
    const { data } = JSON.parse(await cluster.run("kubectl -n cert-manager get secret cert-manager-webhook-ca -o json"));
    const pem = (field: string) => Buffer.from(data[field], "base64").toString();
    const key = createPrivateKey(pem("tls.key")).export({ type: "pkcs8", format: "pem" });
    const issuer = JSON.stringify({ certificate: pem("tls.crt"), key });
    const stranger = await cluster.certificate("--name", "stranger", "--hosts", names.join(","), "--issuer", issuer);
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...stranger });
    await cluster.failsToCreateIssuer("webhook-payload-errors");
  },
  expect: { verdict: "broken", roots: ["webhook-payload-errors"], explains: ["api-probe-failing"] },
});
