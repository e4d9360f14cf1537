import { defaultWindows } from "../../../lib/model/check.ts";
import { firstInstall, upgrade } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

const lease = "-n kube-system lease cert-manager-cainjector-leader-election";
const shortLease = ["leaseDuration=15s", "renewDeadline=10s", "retryPeriod=2s"].map((value) => `--set global.leaderElection.${value}`).join(" ");

export default defineScenario({
  title: "installed anew after cainjector was killed: the new one waits until the lease of the dead one has run out",
  from: "healthy",
  windows: defaultWindows,
  async fault(cluster) {
    await cluster.run(`${upgrade} ${shortLease} --wait`);
    await cluster.until("the short lease", async () => {
      const { spec } = await cluster.get<{ spec: { leaseDurationSeconds: number; holderIdentity: string } }>(lease);
      return spec.leaseDurationSeconds === 15 && spec.holderIdentity !== "";
    });
    await cluster.kill("cainjector");
    await cluster.run("helm uninstall cert-manager --namespace cert-manager --wait");
    await cluster.run(firstInstall);
  },
  expect: { verdict: "settling", roots: [], settling: ["api-probe-failing", "ca-bundle-empty", "cainjector-leader-waiting"] },
  async after(cluster) {
    await cluster.until("a healthy report", async () => (await cluster.report({ windows: defaultWindows })).verdict === "healthy", 60_000);
  },
});
