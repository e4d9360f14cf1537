import type { Role, RoleBinding } from "../model/kubernetes.ts";

/** What the account may do with a lease, as far as Roles of its namespace tell: `unknown` where a binding leads to a ClusterRole. */
export type LeaseRights = "granted" | "missing" | "unknown";

/** Whether the Roles bound to the account let it hold the lease: a leader reads and updates it, and the first one creates it. */
export function leaseRights(
  facts: { readonly roles: readonly Role[]; readonly bindings: readonly RoleBinding[] },
  account: { readonly namespace: string; readonly name: string },
  lease: { readonly namespace: string; readonly name: string; readonly exists: boolean },
): LeaseRights {
  const bound = facts.bindings.filter(
    ({ metadata, subjects }) =>
      metadata.namespace === lease.namespace &&
      subjects?.some(({ kind, name, namespace }) => kind === "ServiceAccount" && name === account.name && namespace === account.namespace),
  );
  const roles = facts.roles.filter(
    ({ metadata }) => metadata.namespace === lease.namespace && bound.some(({ roleRef }) => roleRef.kind === "Role" && roleRef.name === metadata.name),
  );
  const verbs = lease.exists ? ["get", "update"] : ["get", "create", "update"];
  if (verbs.every((verb) => roles.some((role) => allows(role, verb, lease.name)))) return "granted";
  return bound.some(({ roleRef }) => roleRef.kind === "ClusterRole") ? "unknown" : "missing";
}

function allows({ rules = [] }: Role, verb: string, lease: string): boolean {
  return rules.some(
    ({ apiGroups = [], resources = [], verbs = [], resourceNames = [] }) =>
      has(apiGroups, "coordination.k8s.io") &&
      has(resources, "leases") &&
      has(verbs, verb) &&
      // A create can't be limited to a name: the name isn't known yet when it is authorised.
      (resourceNames.length === 0 || (verb !== "create" && resourceNames.includes(lease))),
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes("*");
}
