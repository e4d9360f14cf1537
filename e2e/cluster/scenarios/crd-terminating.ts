import { defineScenario } from "../scenario.ts";

interface Crd {
  readonly metadata: { readonly name: string; readonly labels: object; readonly annotations: object };
  readonly spec: { readonly versions: readonly { readonly name: string }[] };
}

export default defineScenario({
  title: "a CRD stays in deletion, because an object in it can only be converted by a webhook that is gone",
  from: "healthy",
  async fault(cluster) {
    // As releases before 1.6 left it: an object that is stored in an older version, and a webhook that converts it.
    const crd = await cluster.get<Crd>("crd issuers.cert-manager.io");
    const { name, labels, annotations } = crd.metadata;
    const [v1] = crd.spec.versions;
    const replace = (spec: object): Promise<string> =>
      cluster.run("kubectl replace -f -", { input: JSON.stringify({ ...crd, metadata: { name, labels, annotations }, spec: { ...crd.spec, ...spec } }) });
    const versions = (stored: string): readonly object[] => ["v1beta1", "v1"].map((version) => ({ ...v1, name: version, storage: version === stored }));
    await replace({ versions: versions("v1beta1") });
    await cluster.apply({ apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { name: "old", namespace: "default" }, spec: { selfSigned: {} } });
    await cluster.uninstall();
    const service = { namespace: "cert-manager", name: "cert-manager-webhook", path: "/convert" };
    await replace({
      versions: versions("v1"),
      conversion: { strategy: "Webhook", webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] } },
    });
    await cluster.fails("kubectl get issuers", "crd-conversion-webhook-leftover");
    await cluster.try("kubectl delete crd issuers.cert-manager.io --timeout=5s");
    await cluster.failsToCreateIssuer("crd-terminating");
  },
  expect: { verdict: "broken", roots: ["crd-conversion-webhook-leftover"], explains: ["crds-only-leftover"] },
});
