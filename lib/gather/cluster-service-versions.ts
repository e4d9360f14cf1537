import { ClusterError } from "../cluster/errors.ts";
import { components, installsIn } from "../kube/install.ts";
import { resources } from "../kube/resources.ts";
import type { ClusterServiceVersion, KubeObject } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;
const atMost = 3;
/** The community's, and those of Red Hat's operator. */
const ours = /^cert-manager(?:-operator)?\.v\d/;

export default defineGatherer({
  fact: "clusterServiceVersions",
  rules: [{ apiGroups: ["operators.coreos.com"], resources: ["clusterserviceversions"], verbs: ["list", "get"], in: "cluster" }],
  needs: ["deployments"],
  uses: [],
  async gather(cluster, { deployments }) {
    const installs = installsIn(deployments);
    const isWhole = installs.length > 0 && installs.every((install) => components.every((component) => install.components[component]));
    if (isWhole && !installs.some(({ method }) => method === "olm")) return new NotAsked("no-operator");
    try {
      // OLM copies each into every namespace, and one of them is as large as a manifest: names first.
      const { items } = await cluster.list<KubeObject>(resources.clusterserviceversions, { labelSelector: "!olm.copiedFrom", metadataOnly: true, timeoutMs });
      const named = items.filter(({ metadata }) => ours.test(metadata.name)).slice(0, atMost);
      const found = await Promise.all(
        named.map(({ metadata: { name, namespace } }) => cluster.get<ClusterServiceVersion>(resources.clusterserviceversions, name, { namespace, timeoutMs })),
      );
      return found.flatMap((one) =>
        one ? [{ kind: "ClusterServiceVersion", metadata: tidy(one).metadata, ...(one.status ? { status: one.status } : {}) }] : [],
      );
    } catch (error) {
      // Where there is no OLM its kinds aren't served.
      if (error instanceof ClusterError && error.reason === "not-served") return [];
      throw error;
    }
  },
});
