import type { ClusterReader } from "../cluster/reader.ts";
import { missingRights, roleNamespaces } from "../kube/component-rights.ts";
import { accountOf, componentSelector, components, type Install, installsIn } from "../kube/install.ts";
import { type Account, type Grants, isBound } from "../kube/rbac.ts";
import { type Resource, resources } from "../kube/resources.ts";
import type { KubeObject, Role, RoleBinding } from "../model/kubernetes.ts";
import { defineGatherer, NotAsked } from "./gatherer.ts";
import { tidy } from "./tidy.ts";

const timeoutMs = 5_000;

export default defineGatherer({
  fact: "componentRoles",
  rules: [
    { apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles", "clusterrolebindings"], verbs: ["get", "list"], in: "cluster" },
    { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["get", "list"], in: "install" },
  ],
  needs: ["deployments"],
  uses: [],
  async gather(cluster, { deployments }) {
    const found = installsIn(deployments);
    if (found.length === 0) return new NotAsked("nothing-installed");
    const namespaces = [...new Set(found.flatMap(roleNamespaces))];
    const labelled = await everywhere(namespaces, (namespace) => marked(cluster, namespace));
    if (found.every((install) => components.every((component) => missingRights(install, component, labelled).length === 0))) return labelled;
    // Operators and people give rights by objects of other names and labels: every binding of the accounts counts.
    const all = await everywhere(namespaces, (namespace) => bound(cluster, namespace, found.flatMap(accountsOf)));
    return { roles: distinct([...labelled.roles, ...all.roles]), bindings: distinct([...labelled.bindings, ...all.bindings]) };
  },
});

function distinct<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return [...new Map(objects.map((object) => [`${object.kind}/${object.metadata.namespace}/${object.metadata.name}`, object])).values()];
}

/** What belongs to the whole cluster, and what belongs to each namespace. */
async function everywhere(namespaces: readonly string[], read: (namespace: string | undefined) => Promise<Grants>): Promise<Grants> {
  const all = await Promise.all([undefined, ...namespaces].map(read));
  return { roles: all.flatMap(({ roles }) => roles), bindings: all.flatMap(({ bindings }) => bindings) };
}

/** What bears a component's label, as everything from chart and manifests does. */
async function marked(cluster: ClusterReader, namespace: string | undefined): Promise<Grants> {
  const [roles, bindings] = await Promise.all([
    cluster.list<Role>(namespace ? resources.roles : resources.clusterroles, { namespace, labelSelector: componentSelector, timeoutMs }),
    cluster.list<RoleBinding>(bindingsIn(namespace), { namespace, labelSelector: componentSelector, timeoutMs }),
  ]);
  return { roles: roles.items.map(named(namespace ? resources.roles : resources.clusterroles)), bindings: bindings.items.map(named(bindingsIn(namespace))) };
}

async function bound(cluster: ClusterReader, namespace: string | undefined, accounts: readonly Account[]): Promise<Grants> {
  const { items } = await cluster.list<RoleBinding>(bindingsIn(namespace), { namespace, timeoutMs });
  const bindings = items.filter((binding) => accounts.some((account) => isBound(binding, account))).map(named(bindingsIn(namespace)));
  const wanted = new Map(bindings.map(({ roleRef }) => [`${roleRef.kind}/${roleRef.name}`, roleRef]));
  const roles = await Promise.all(
    [...wanted.values()].map(async ({ kind, name }) => {
      const of = kind === "ClusterRole" ? resources.clusterroles : resources.roles;
      const role = await cluster.get<Role>(of, name, { namespace: kind === "ClusterRole" ? undefined : namespace, timeoutMs });
      return role ? [named(of)(role)] : [];
    }),
  );
  return { roles: roles.flat(), bindings };
}

function bindingsIn(namespace: string | undefined): Resource {
  return namespace ? resources.rolebindings : resources.clusterrolebindings;
}

/** The items of a list don't say what kind they are. */
function named({ kind }: Resource): <T extends KubeObject>(object: T) => T {
  return (object) => tidy({ ...object, kind });
}

function accountsOf(install: Install): readonly Account[] {
  return Object.values(install.components).map((deployment) => ({ namespace: install.namespace, name: accountOf(deployment) }));
}
