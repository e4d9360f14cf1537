import { chart } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "a second release in another namespace, with leases of its own",
  from: "healthy",
  async fault(cluster) {
    await cluster.run(`helm install pki ${chart} --namespace security --create-namespace --set global.leaderElection.namespace=security --wait`);
  },
  expect: { verdict: "broken", roots: ["multiple-installs"] },
  async after(cluster) {
    const { checks } = await cluster.report();
    const steps = checks.flatMap(({ problems }) => problems.flatMap(({ fix }) => fix));
    for (const { command } of steps.filter(({ title }) => title.includes("the release pki"))) await cluster.run(command);
    await cluster.until("one install to be left, and healthy", async () => (await cluster.report()).verdict === "healthy");
  },
});
