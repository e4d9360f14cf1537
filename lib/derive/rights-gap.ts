import { missingRights, type NeededRight } from "../kube/component-rights.ts";
import { accountOf, type Install } from "../kube/install.ts";
import { type Grants, isBound, Rights } from "../kube/rbac.ts";
import type { Component, Evidence } from "../model/check.ts";
import type { Role, RoleBinding } from "../model/kubernetes.ts";

/** Rights that a component's account needs and doesn't have. */
export interface RightsGap {
  readonly account: string;
  /** Those that all of its work needs come first. */
  readonly missing: readonly [NeededRight, ...NeededRight[]];
  /** Whether the roles that the install brings for this component aren't there: it was told to bring none, or they were deleted. */
  readonly withoutRoles: boolean;
  readonly evidence: readonly Evidence[];
}

const enough = 6;

/** What a component isn't allowed and would have to be, and which binding or role isn't as it should be; undefined where nothing is missing. */
export function rightsGap(install: Install, component: Component, { componentRoles }: { readonly componentRoles: Grants }): RightsGap | undefined {
  const deployment = install.components[component];
  const [first, ...rest] = [...missingRights(install, component, componentRoles)].sort((a, b) => a.scope.localeCompare(b.scope));
  if (!deployment || !first) return undefined;
  const { namespace, name } = deployment.metadata;
  const account = accountOf(deployment);
  const missing = [first, ...rest] as const;
  const own = componentRoles.roles.filter((role) => isOf(role, install, component) && missing.some((right) => gives(role, right)));
  return {
    account,
    missing,
    withoutRoles: own.length === 0,
    evidence: [
      { object: { kind: "Deployment", namespace, name }, path: "spec.template.spec.serviceAccountName", value: account },
      ...own.flatMap((role) => bindingEvidence(role, componentRoles.bindings, { namespace: install.namespace, name: account })),
      ...componentRoles.bindings.flatMap((binding) => (isOf(binding, install, component) ? goneRole(binding, componentRoles.roles) : [])),
    ].slice(0, enough),
  };
}

/** `issuers.cert-manager.io/status`: a resource as kubectl names it. */
export function resourceText({ resource, group }: Pick<NeededRight, "resource" | "group">): string {
  const [plural, subresource] = resource.split("/");
  return `${plural}${group && `.${group}`}${subresource ? `/${subresource}` : ""}`;
}

function isOf({ metadata: { labels = {} } }: Role | RoleBinding, install: Install, component: Component): boolean {
  const instance = install.components[component]?.metadata.labels?.["app.kubernetes.io/instance"];
  return labels["app.kubernetes.io/component"] === component && labels["app.kubernetes.io/instance"] === instance;
}

/** Whether the right would be there if the role were bound where it belongs. */
function gives(role: Role, { verbs, scope: _, ...access }: NeededRight): boolean {
  const anybody = { namespace: "any", name: "any" };
  const { namespace, name } = role.metadata;
  const binding = {
    metadata: { name, namespace },
    roleRef: { kind: namespace ? "Role" : "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", ...anybody }],
  };
  const rights = new Rights({ roles: [role], bindings: [binding] }, anybody);
  return verbs.some((verb) => rights.allow({ ...access, verb }));
}

/** The binding that should lead to the role: not there, or about somebody else. The install's bindings have the names of their roles. */
function bindingEvidence(
  { metadata: { name, namespace } }: Role,
  bindings: readonly RoleBinding[],
  account: { namespace: string; name: string },
): readonly Evidence[] {
  const leading = bindings.filter(
    ({ metadata, roleRef }) => roleRef.name === name && (roleRef.kind === "ClusterRole" ? !namespace : metadata.namespace === namespace),
  );
  if (leading.some((binding) => isBound(binding, account))) return [];
  const kind = namespace ? "RoleBinding" : "ClusterRoleBinding";
  if (leading.length === 0) return [{ object: { kind, namespace, name }, path: "metadata", value: null }];
  return leading.map((binding) => ({
    object: { kind: binding.metadata.namespace ? "RoleBinding" : "ClusterRoleBinding", namespace: binding.metadata.namespace, name: binding.metadata.name },
    path: "subjects",
    value: (binding.subjects ?? []).map((subject) => `${subject.kind} ${subject.namespace ?? ""}/${subject.name}`).join(", ") || null,
  }));
}

/** The role that a binding of the install leads to, where it isn't there. */
function goneRole({ metadata: { namespace }, roleRef: { kind, name } }: RoleBinding, roles: readonly Role[]): readonly Evidence[] {
  const home = kind === "ClusterRole" ? undefined : namespace;
  if (roles.some((role) => role.metadata.name === name && role.metadata.namespace === home)) return [];
  return [{ object: { kind, namespace: home, name }, path: "metadata", value: null }];
}
