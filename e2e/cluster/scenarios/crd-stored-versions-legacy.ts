import { install } from "../cluster.ts";
import { defineScenario } from "../scenario.ts";

interface Crd {
  readonly metadata: { readonly name: string; readonly labels: object; readonly annotations: object };
  readonly spec: { readonly versions: readonly object[] };
}

export default defineScenario({
  title: "a CRD has objects that are stored in a version which the chart's CRD doesn't have any more",
  from: "healthy",
  async fault(cluster) {
    const crd = await cluster.get<Crd>("crd issuers.cert-manager.io");
    const { name, labels, annotations } = crd.metadata;
    const versions = ["v1beta1", "v1"].map((version) => ({ ...crd.spec.versions[0], name: version, storage: version === "v1beta1" }));
    await cluster.run("kubectl replace -f -", {
      input: JSON.stringify({ ...crd, metadata: { name, labels, annotations }, spec: { ...crd.spec, versions } }),
    });
    await cluster.apply({ apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { name: "old", namespace: "default" }, spec: { selfSigned: {} } });
    const upgrade = install.replace("helm install", "helm upgrade");
    await cluster.fails(upgrade, "crd-stored-versions-legacy", { helm: 3 });
    await cluster.fails(`${upgrade} --server-side=true --force-conflicts`, "crd-stored-versions-legacy", { helm: 4 });
  },
  expect: { verdict: "broken", roots: ["crd-stored-versions-legacy"] },
});
