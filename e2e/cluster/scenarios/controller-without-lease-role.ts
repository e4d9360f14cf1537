import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the controller starts again without the Role for its lease, and does nothing",
  from: "healthy",
  async fault(cluster) {
    for (const kind of ["rolebinding", "role"]) await cluster.run(`kubectl -n kube-system delete ${kind} cert-manager:leaderelection`);
    await cluster.run("kubectl -n cert-manager rollout restart deployment/cert-manager");
    await cluster.run("kubectl -n cert-manager rollout status deployment/cert-manager --timeout=60s");
    await cluster.until("the controller to be refused", async () => {
      const log = await cluster.run("kubectl -n cert-manager logs deployment/cert-manager");
      return log.split("\n").find((line) => line.includes("forbidden"));
    });
    await cluster.run("kubectl -n kube-system delete lease cert-manager-controller");
  },
  expect: { verdict: "broken", roots: ["controller-leader-election-lost"] },
  mends: true,
});
