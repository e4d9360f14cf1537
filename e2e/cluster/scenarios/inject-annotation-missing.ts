import { writeCaBundles } from "../ca-bundles.ts";
import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the registrations were applied again without the annotation that asks cainjector for the CA",
  from: "healthy",
  async fault(cluster) {
    for (const kind of ["validatingwebhookconfiguration", "mutatingwebhookconfiguration"]) {
      await cluster.run(`kubectl annotate ${kind} cert-manager-webhook cert-manager.io/inject-ca-from-secret-`);
    }
    await writeCaBundles(cluster, null);
    await cluster.failsToCreateIssuer("ca-bundle-empty");
  },
  expect: { verdict: "broken", roots: ["inject-annotation-wrong"], explains: ["api-probe-failing", "ca-bundle-empty"] },
  mends: true,
});
