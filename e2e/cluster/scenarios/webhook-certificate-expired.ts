import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook serves a certificate that has expired, as after its node slept",
  from: "healthy",
  async fault(cluster) {
    const name = "cert-manager-webhook.cert-manager.svc";
    const certificate = await cluster.certificate("--name", name, "--hosts", name, "--from=-48h", "--until=-24h");
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...certificate });
    await cluster.failsToCreateIssuer("webhook-serving-cert-expired");
  },
  expect: { verdict: "broken", roots: ["webhook-serving-cert-expired"], explains: ["api-probe-failing"] },
});
