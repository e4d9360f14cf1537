import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "packets to a healthy webhook are dropped on the way",
  from: "healthy",
  varies: true,
  async fault(cluster) {
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "drop" });
  },
  // A dial and a call that may take 30 s end together: each time chance tells which of three texts the API server gives.
  within: 40,
  expect: { verdict: "broken", roots: ["webhook-io-timeout"], explains: ["api-probe-failing"] },
});
