import { defaultWindows } from "../../../lib/model/check.ts";
import { firstInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

const service = "cert-manager/cert-manager-webhook";

export default defineScenario({
  title: "a first install whose webhook doesn't answer yet becomes healthy by itself",
  from: "empty",
  windows: defaultWindows,
  within: 60,
  async fault(cluster) {
    await cluster.behind(service, { kind: "refuse" });
    await cluster.run(firstInstall);
  },
  expect: { verdict: "settling", roots: [], settling: ["api-probe-failing", "webhook-connection-refused"] },
  async after(cluster) {
    await cluster.behind(service, null);
    await cluster.until("a healthy report", async () => (await cluster.report({ windows: defaultWindows })).verdict === "healthy");
  },
});
