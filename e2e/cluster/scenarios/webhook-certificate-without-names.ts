import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a mesh answers in the webhook's place, with a certificate that names no host",
  from: "healthy",
  async fault(cluster) {
    const certificate = await cluster.certificate("--name", "sidecar");
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...certificate });
    await cluster.failsToCreateIssuer("serving-cert-from-mesh");
  },
  expect: { verdict: "broken", roots: ["serving-cert-from-mesh"], explains: ["api-probe-failing"] },
});
