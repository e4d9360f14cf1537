import { type Account, type Grants, Rights } from "./rbac.ts";

/** What the account may do with a lease, as far as Roles of its namespace tell: `unknown` where a binding leads to a role that wasn't read. */
export type LeaseRights = "granted" | "missing" | "unknown";

/** Whether the roles bound to the account let it hold the lease: a leader reads and updates it, and the first one creates it. */
export function leaseRights(
  grants: Grants,
  account: Account,
  lease: { readonly namespace: string; readonly name: string; readonly exists: boolean },
): LeaseRights {
  const rights = new Rights(grants, account);
  const verbs = lease.exists ? ["get", "update"] : ["get", "create", "update"];
  const { namespace, name } = lease;
  if (verbs.every((verb) => rights.allow({ verb, group: "coordination.k8s.io", resource: "leases", namespace, name }))) return "granted";
  return rights.leadElsewhere ? "unknown" : "missing";
}
