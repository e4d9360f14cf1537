import { defineScenario } from "../scenario.ts";

export default defineScenario({
  title: "the release was uninstalled, and an Issuer waits in the CRDs that were kept",
  from: "healthy",
  async fault(cluster) {
    await cluster.apply({ apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { name: "kept", namespace: "default" }, spec: { selfSigned: {} } });
    await cluster.uninstall();
  },
  expect: { verdict: "broken", roots: ["crds-only-leftover"] },
  mends: true,
  async after(cluster) {
    await cluster.run("kubectl wait issuer/kept --for=condition=Ready --timeout=30s");
  },
});
