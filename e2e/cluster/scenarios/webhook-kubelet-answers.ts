import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a kubelet answers in the webhook's place",
  from: "healthy",
  async fault(cluster) {
    const node = "ip-10-0-0-10.eu-west-1.compute.internal";
    const certificate = await cluster.certificate("--name", node, "--hosts", `${node},10.0.0.10`);
    await cluster.behind("cert-manager/cert-manager-webhook", { kind: "certificate", ...certificate });
    await cluster.failsToCreateIssuer("serving-cert-is-kubelet");
  },
  expect: { verdict: "broken", roots: ["serving-cert-is-kubelet"], explains: ["api-probe-failing"] },
});
