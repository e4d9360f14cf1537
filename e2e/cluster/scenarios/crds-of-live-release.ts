import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a second release in another namespace wants the CRDs of the one that runs",
  from: "healthy",
  async fault(cluster) {
    const other = `helm install pki ${chart} --namespace security --create-namespace --set crds.enabled=true`;
    await cluster.fails(other, "helm-ownership-other-release", { helm: 3 });
    await cluster.fails(other, "helm-ownership-other-release", { helm: 4 });
  },
  reported: true,
  expect: { verdict: "broken", roots: ["helm-ownership-other-release"] },
  async after(cluster) {
    const report = await cluster.report({ reportedErrors: cluster.said.map(({ text }) => text) });
    const steps = report.checks.flatMap(({ id, problems }) => (id === "helm-ownership-other-release" ? problems.flatMap(({ fix }) => fix) : []));
    const stealing = steps.filter(({ command }) => /--take-ownership|kubectl.* annotate/.test(command));
    if (stealing.length > 0)
      throw new Error(`prints commands that take the CRDs away from the release that runs:\n${stealing.map((step) => step.command).join("\n")}`);
  },
});
