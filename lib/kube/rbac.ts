import type { Role, RoleBinding } from "../model/kubernetes.ts";

/** Roles and ClusterRoles, and what binds them to accounts. What belongs to the whole cluster has no namespace. */
export interface Grants {
  readonly roles: readonly Role[];
  readonly bindings: readonly RoleBinding[];
}

/** A ServiceAccount. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** One thing to be allowed to do. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  /** Plural, with the subresource behind a slash. */
  readonly resource: string;
  /** Absent for something that has to be allowed in every namespace, or has none. */
  readonly namespace?: string;
  /** The object's name, where it is known when the request is authorised: never for a create. */
  readonly name?: string;
}

type PolicyRule = NonNullable<Role["rules"]>[number];

interface Granted {
  /** Absent where it holds in the whole cluster. */
  readonly namespace?: string;
  readonly rule: PolicyRule;
}

/** Decides as the API server's RBAC authoriser does. */
export class Rights {
  readonly #granted: readonly Granted[];
  /** Whether a binding leads to a ClusterRole that isn't among the grants: then a refusal proves nothing. */
  readonly leadElsewhere: boolean;

  constructor({ roles, bindings }: Grants, account: Account) {
    const byName = new Map(roles.map((role) => [keyOf(role.metadata.namespace, role.metadata.name), role.rules ?? []]));
    const found = bindings
      .filter((binding) => isBound(binding, account))
      .map(({ metadata: { namespace }, roleRef }) => ({
        namespace,
        inCluster: roleRef.kind === "ClusterRole",
        rules: byName.get(keyOf(roleRef.kind === "ClusterRole" ? undefined : namespace, roleRef.name)),
      }));
    this.leadElsewhere = found.some(({ inCluster, rules }) => inCluster && rules === undefined);
    this.#granted = found.flatMap(({ namespace, rules = [] }) => rules.map((rule) => ({ namespace, rule })));
  }

  allow(access: Access): boolean {
    return this.#granted.some(({ namespace, rule }) => (namespace === undefined || namespace === access.namespace) && allows(rule, access));
  }
}

/** Whether a binding is about the account: by its name, or by a group that every ServiceAccount is in. */
export function isBound({ metadata, subjects }: RoleBinding, account: Account): boolean {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`, "system:authenticated"];
  return (subjects ?? []).some(({ kind, name, namespace = metadata.namespace }) => {
    if (kind === "ServiceAccount") return name === account.name && namespace === account.namespace;
    return kind === "Group" ? groups.includes(name) : kind === "User" && name === `system:serviceaccount:${account.namespace}:${account.name}`;
  });
}

function allows({ apiGroups = [], resources = [], verbs = [], resourceNames = [] }: PolicyRule, { group, resource, verb, name }: Access): boolean {
  const subresource = resource.split("/")[1];
  return (
    has(apiGroups, group) &&
    (has(resources, resource) || (subresource !== undefined && resources.includes(`*/${subresource}`))) &&
    has(verbs, verb) &&
    // A rule with names never allows a create, nor a list of everything: there the request has no name.
    (resourceNames.length === 0 || (name !== undefined && verb !== "create" && resourceNames.includes(name)))
  );
}

function has(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes("*");
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}
