import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "Helm 3 installed an older release, its CRDs were kept, and Helm 4 installs the same release again",
  from: "empty",
  async fault(cluster) {
    await cluster.run(`${install} --version v1.20.2`, { helm: 3 });
    await cluster.uninstall({ helm: 3 });
  },
  expect: { verdict: "broken", roots: ["crds-only-leftover"] },
  mends: true,
  helm: 4,
});
