import { installsIn } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { defineGatherer } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "namespaces",
  rules: [{ apiGroups: [""], resources: ["namespaces"], verbs: ["get"], in: "cluster" }],
  needs: [],
  uses: ["deployments"],
  async gather(cluster, { deployments }) {
    const installed = installsIn(knownValue(deployments) ?? []).map((install) => install.namespace);
    // The API check asks in the context's own namespace or in `default`, whichever lets it.
    const names = new Set([...installed, "default", ...(cluster.namespace ? [cluster.namespace] : [])]);
    return Promise.all(
      [...names].map(async (name) => {
        const object = await cluster.get<KubeObject>(resources.namespaces, name, { metadataOnly: true, timeoutMs });
        return { ref: { kind: "Namespace", name }, object: object && tidy({ ...object, kind: "Namespace" }) };
      }),
    );
  },
});
