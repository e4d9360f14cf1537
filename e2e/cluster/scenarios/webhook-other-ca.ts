import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a proxy that opens TLS answers with the webhook's name and a certificate of its own CA",
  from: "healthy",
  async fault(cluster) {
    const ca = await cluster.certificate("--ca", "--name", "Example Corp TLS Inspection");
    const name = "cert-manager-webhook.cert-manager.svc";
    const certificate = await cluster.certificate("--name", name, "--hosts", name, "--issuer", JSON.stringify(ca));
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...certificate });
    // The text alone doesn't tell which of the two CAs is the wrong one.
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  // Only who may read the webhook's CA can tell that the registrations trust the right one.
  as: "admin",
  expect: { verdict: "broken", roots: ["apiserver-egress-proxy"], explains: ["api-probe-failing"] },
});
