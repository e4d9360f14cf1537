import { healthyInstall } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the Service of a release that Helm 3 installed was edited, so that it finds no pod",
  from: "empty",
  async fault(cluster) {
    await cluster.run(healthyInstall, { helm: 3 });
    await cluster.run(
      `kubectl -n cert-manager patch service cert-manager-webhook --type merge --patch '{"spec":{"selector":{"app.kubernetes.io/instance":"prod"}}}'`,
    );
  },
  // The upgrade that is printed goes through with Helm 4 too, which upgrades such a release as Helm 3 does.
  expect: { verdict: "broken", roots: ["webhook-no-endpoints"], explains: ["webhook-connection-refused", "api-probe-failing"] },
  mends: true,
});
