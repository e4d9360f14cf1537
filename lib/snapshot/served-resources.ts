import { type Resource, resources } from "../kube/resources.ts";
import { builtInResources, isCertManagerGroup } from "./built-in-resources.ts";
import type { Snapshot, SnapshotObject } from "./snapshot.ts";

/** A resource of a snapshot's API, at one of its versions. */
export interface ServedResource extends Resource {
  /** Items of lists carry apiVersion and kind only here, as at a real API server. */
  readonly custom: boolean;
  /** Fields that a CRD lets its objects be selected by, beside name and namespace. */
  readonly selectable?: readonly string[];
}

const builtInGroups: ReadonlySet<string> = new Set(builtInResources.map((resource) => resource.group));

/** Whether the API server itself serves this group, and words refusals in it. */
export function isBuiltInGroup(group: string): boolean {
  return builtInGroups.has(group);
}

/** As objects name it: `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Whether the snapshot's author looked for this resource. */
export function isCollected(snapshot: Pick<Snapshot, "collected">, of: { plural: string; group: string }): boolean {
  const { resources: collected } = snapshot.collected;
  return collected === null || collected.has(of.plural) || collected.has(`${of.plural}.${of.group}`);
}

/** The API that a snapshot serves: the built-in kinds, what its CRDs define, and kinds that it merely holds objects of. */
export function servedResources(snapshot: Snapshot): readonly ServedResource[] {
  const served = new Map<string, ServedResource>();
  const add = (resource: ServedResource): void => {
    const key = `${resource.group}/${resource.version}/${resource.plural}`;
    if (!served.has(key)) served.set(key, resource);
  };
  for (const resource of builtInResources) add({ ...resource, custom: false });
  for (const object of snapshot.objects) if (object.kind === "CustomResourceDefinition") for (const resource of definedBy(object)) add(resource);
  const byKind = new Map([...served.values()].map((resource) => [`${resource.group}/${resource.kind}`, resource]));
  const crdsCollected = isCollected(snapshot, resources.customresourcedefinitions);
  for (const object of snapshot.objects) {
    const [group, version] = groupVersion(object.apiVersion);
    const known = byKind.get(`${group}/${object.kind}`);
    if (known) {
      if (!known.custom) add({ ...known, version });
    } else if (!(isCertManagerGroup(group) && crdsCollected)) {
      add({ ...(wellKnown(group, object.kind) ?? guessed(object)), version, custom: true });
    }
  }
  return [...served.values()];
}

/** The parts of an apiVersion; the core group is the empty string. */
export function groupVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** The plural that Kubernetes would give a kind by its rules of thumb. */
function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

interface CrdSpec {
  readonly names?: { readonly kind?: string; readonly plural?: string };
  readonly scope?: string;
  readonly versions?: readonly { readonly name: string; readonly served?: boolean; readonly selectableFields?: readonly { readonly jsonPath: string }[] }[];
}

/** A CRD serves nothing until its names are accepted; without conditions (a metadata-only copy) it is taken to. */
function definedBy(crd: SnapshotObject): readonly ServedResource[] {
  const [plural = "", ...rest] = crd.metadata.name.split(".");
  const group = rest.join(".");
  const { conditions } = (crd.status ?? {}) as { conditions?: readonly { type: string; status: string }[] };
  if (conditions?.some((condition) => condition.type === "Established" && condition.status !== "True")) return [];
  const spec = (crd.spec ?? {}) as CrdSpec;
  const known = Object.values(resources).find((resource) => resource.group === group && resource.plural === plural);
  const kind = spec.names?.kind ?? known?.kind ?? plural;
  const namespaced = spec.scope ? spec.scope === "Namespaced" : (known?.namespaced ?? true);
  const versions = spec.versions?.filter((version) => version.served !== false) ?? [{ name: "v1" }];
  return versions.map(({ name, selectableFields = [] }) => {
    return { group, version: name, plural, kind, namespaced, custom: true, selectable: selectableFields.map((field) => field.jsonPath.slice(1)) };
  });
}

function wellKnown(group: string, kind: string): Resource | undefined {
  return Object.values(resources).find((resource) => resource.group === group && resource.kind === kind);
}

function guessed(object: SnapshotObject): Resource {
  const [group, version] = groupVersion(object.apiVersion);
  return { group, version, plural: pluralOf(object.kind), kind: object.kind, namespaced: object.metadata.namespace !== undefined };
}
