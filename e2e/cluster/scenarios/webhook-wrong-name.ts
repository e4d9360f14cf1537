import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "another Service's webhook answers in the place of cert-manager's",
  from: "healthy",
  async fault(cluster) {
    const names = ["prod-cert-manager-webhook", "prod-cert-manager-webhook.infra", "prod-cert-manager-webhook.infra.svc"];
    const certificate = await cluster.certificate("--name", "prod-cert-manager-webhook", "--hosts", names.join(","));
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...certificate });
    await cluster.failsToCreateIssuer("serving-cert-wrong-san");
  },
  expect: { verdict: "broken", roots: ["serving-cert-wrong-san"], explains: ["api-probe-failing"] },
});
