import { installsIn, leaderElectionNamespace } from "../kube/install.ts";
import { leaseNames } from "../kube/lease.ts";
import { resources } from "../kube/resources.ts";
import type { Lease } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

export default defineGatherer({
  fact: "leases",
  rules: [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get"], resourceNames: Object.values(leaseNames), in: "leader-election" }],
  needs: ["deployments"],
  uses: [],
  async gather(cluster, { deployments }) {
    const namespaces = new Set(installsIn(deployments).map(leaderElectionNamespace));
    if (namespaces.size === 0) return new NotAsked("nothing-installed");
    return Promise.all(
      [...namespaces].flatMap((namespace) =>
        Object.values(leaseNames).map(async (name) => {
          const object = await cluster.get<Lease>(resources.leases, name, { namespace });
          return { ref: { kind: "Lease", namespace, name }, object: object && tidy(object) };
        }),
      ),
    );
  },
});
