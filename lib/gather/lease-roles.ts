import { installsIn, leaderElectionNamespace } from "../kube/install.ts";
import { isHeld } from "../kube/lease.ts";
import { resources } from "../kube/resources.ts";
import type { Role, RoleBinding } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "leaseRoles",
  rules: [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["list"], in: "leader-election" }],
  needs: ["deployments", "leases"],
  uses: [],
  async gather(cluster, { deployments, leases }, input) {
    if (leases.every((lease) => isHeld(lease.object, input.now()))) return new NotAsked("leases-held");
    const namespaces = [...new Set(installsIn(deployments).map(leaderElectionNamespace))];
    const labelSelector = "app.kubernetes.io/component in (controller,cainjector)";
    const [roles, bindings] = await Promise.all([
      Promise.all(namespaces.map((namespace) => cluster.list<Role>(resources.roles, { namespace, labelSelector, timeoutMs }))),
      Promise.all(namespaces.map((namespace) => cluster.list<RoleBinding>(resources.rolebindings, { namespace, labelSelector, timeoutMs }))),
    ]);
    return { roles: roles.flatMap((list) => list.items.map(tidy)), bindings: bindings.flatMap((list) => list.items.map(tidy)) };
  },
});
