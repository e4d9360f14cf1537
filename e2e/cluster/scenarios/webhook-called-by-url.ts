import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the registrations call the webhook by a URL, whose name only the cluster's own DNS knows",
  from: "healthy",
  // What is said of a lookup differs with the machine's resolver.
  varies: true,
  async fault(cluster) {
    for (const [kind, path] of [
      ["validatingwebhookconfiguration", "validate"],
      ["mutatingwebhookconfiguration", "mutate"],
    ]) {
      const operations = [
        { op: "remove", path: "/webhooks/0/clientConfig/service" },
        { op: "add", path: "/webhooks/0/clientConfig/url", value: `https://cert-manager-webhook.cert-manager.svc/${path}` },
      ];
      await cluster.run(`kubectl patch ${kind} cert-manager-webhook --type=json -p '${JSON.stringify(operations)}'`);
    }
    await cluster.failsToCreateIssuer("webhook-dns-failure");
  },
  expect: { verdict: "broken", roots: ["webhook-dns-failure"], explains: ["api-probe-failing"] },
});
