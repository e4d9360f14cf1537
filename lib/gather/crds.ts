import { certManagerResources, crdName, resources } from "../kube/resources.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "crds",
  rules: [
    {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions"],
      verbs: ["get"],
      resourceNames: certManagerResources.map(crdName),
      in: "cluster",
    },
  ],
  needs: [],
  uses: [],
  async gather(cluster) {
    // By name and without their schemas: one of them alone is 150 kB, a cluster's list many megabytes.
    return Promise.all(
      certManagerResources.map(async (of) => {
        const name = crdName(of);
        const object = await cluster.get<KubeObject>(resources.customresourcedefinitions, name, { metadataOnly: true });
        return { ref: { kind: "CustomResourceDefinition", name }, object: object && tidy({ ...object, kind: "CustomResourceDefinition" }) };
      }),
    );
  },
});
