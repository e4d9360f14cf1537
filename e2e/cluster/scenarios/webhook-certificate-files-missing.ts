import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the webhook is told to serve files that aren't there",
  from: "healthy",
  as: "admin",
  async fault(cluster) {
    const args = ["--v=2", "--secure-port=10250", "--tls-cert-file=/certificates/tls.crt", "--tls-private-key-file=/certificates/tls.key"];
    const patch = JSON.stringify([{ op: "replace", path: "/spec/template/spec/containers/0/args", value: args }]);
    await cluster.run("kubectl -n cert-manager scale deployment cert-manager-webhook --replicas=0");
    await cluster.run(`kubectl -n cert-manager patch deployment cert-manager-webhook --type=json -p '${patch}'`);
    await cluster.run("kubectl -n cert-manager scale deployment cert-manager-webhook --replicas=1");
    const complaint = await cluster.until("the webhook to complain", async () => {
      const ran = await cluster.try("kubectl -n cert-manager logs deployment/cert-manager-webhook");
      return ran.stdout.split("\n").find((line) => line.includes("certificate from disk"));
    });
    cluster.said.push({ text: complaint, check: "webhook-tls-files-problem" });
  },
  varies: true,
  within: 40,
  expect: { verdict: "broken", roots: ["webhook-tls-files-problem"], explains: ["api-probe-failing"] },
  mends: true,
});
