import { InputError } from "../cluster/errors.ts";
import { builtInResources } from "./built-in-resources.ts";
import type { BundleFiles } from "./bundle-files.ts";
import type { BundleLimits } from "./bundle-limits.ts";
import { documentsIn } from "./documents.ts";
import { distinctObjects, type Fallback, kubernetesObjects } from "./kubernetes-objects.ts";
import { newestTime } from "./newest-time.ts";
import { logKey, type RefusedRequest, type Snapshot, type SnapshotObject } from "./snapshot.ts";
import { type TroubleshootPath, troubleshootPath } from "./troubleshoot-path.ts";

/** Reads a support bundle of troubleshoot.sh: its cluster resources, pod logs and version. */
export function troubleshootBundle(name: string, files: BundleFiles, limits: BundleLimits): Snapshot {
  const objects: SnapshotObject[] = [];
  const logs = new Map<string, string>();
  const resources = new Set<string>();
  const namespaces = new Set<string>();
  const errors = new Map<string, unknown>();
  let yamlBytes = 0;
  // CRDs first: they name the kinds of the custom resources, whose items may come without.
  const meanings = [...files].map(([path, bytes]) => ({ path, bytes, meaning: troubleshootPath(path) }));
  const crds = meanings.filter(({ meaning }) => meaning.is === "objects" && meaning.plural === "customresourcedefinitions");
  for (const { path, bytes, meaning } of [...crds, ...meanings.filter((one) => !crds.includes(one))]) {
    if (meaning.is === "log") logs.set(logKey(meaning.namespace, meaning.pod, meaning.container, meaning.previous), new TextDecoder().decode(bytes));
    if (meaning.is === "errors") errors.set(meaning.plural, documentsIn(path, bytes, limits)[0]);
    if (meaning.is !== "objects" && meaning.is !== "custom") continue;
    if (path.endsWith(".yaml")) {
      // Newer bundles hold each custom resource twice.
      if (files.has(path.replace(/yaml$/, "json"))) continue;
      yamlBytes += bytes.length;
      if (yamlBytes > limits.yamlBytes)
        throw new InputError(`${path} and the YAML before it are too large to be read: make the bundle with a newer troubleshoot.sh.`);
    }
    const document = documentsIn(path, bytes, limits)[0];
    const list = typedList(document);
    const plural = list ?? meaning.plural;
    if (!isData(document) || (meaning.is === "objects" && meaning.errorsFolder && list === undefined)) continue;
    objects.push(...kubernetesObjects(document, fallbackFor(meaning, objects)));
    resources.add(meaning.is === "custom" ? `${meaning.plural}.${meaning.group}` : plural);
    if (meaning.namespace !== undefined && meaning.is === "objects") namespaces.add(meaning.namespace);
  }
  if (resources.size === 0) throw new InputError(`${name} is a support bundle without cluster resources: make it with the clusterResources collector.`);
  for (const crd of objects)
    if (crd.kind === "CustomResourceDefinition" && !failed(errors.get("custom-resources"), crd.metadata.name)) resources.add(crd.metadata.name);
  return {
    name,
    now: newestTime(objects, logs) ?? new Date(),
    version: versionFrom(files, limits),
    objects: distinctObjects(objects),
    logs,
    reportedErrors: [],
    collected: { resources, namespaces: coversAll(objects, namespaces) ? null : namespaces },
    answers: { refused: refusedBy(errors, resources) },
  };
}

/** The plural of a typed list; a known mistake of troubleshoot.sh puts ReplicaSets into the errors of StatefulSets. */
function typedList(document: unknown): string | undefined {
  const kind = (document as { kind?: unknown } | null)?.kind;
  return typeof kind === "string" && kind.endsWith("List") ? builtInResources.find((resource) => `${resource.kind}List` === kind)?.plural : undefined;
}

function isData(document: unknown): boolean {
  return Array.isArray(document) || (document !== null && typeof document === "object" && "items" in document);
}

function fallbackFor(meaning: TroubleshootPath & { plural: string }, objects: readonly SnapshotObject[]): Fallback {
  if (meaning.is !== "custom") {
    const resource = builtInResources.find((one) => one.plural === meaning.plural);
    return resource ? { apiVersion: resource.group === "" ? resource.version : `${resource.group}/${resource.version}`, kind: resource.kind } : {};
  }
  const crd = objects.find((object) => object.kind === "CustomResourceDefinition" && object.metadata.name === `${meaning.plural}.${meaning.group}`);
  const spec = crd?.spec as { names?: { kind?: string }; versions?: readonly { name: string; storage?: boolean }[] } | undefined;
  const version = spec?.versions?.find((one) => one.storage)?.name ?? spec?.versions?.[0]?.name ?? "v1";
  return { apiVersion: `${meaning.group}/${version}`, kind: spec?.names?.kind };
}

/** Custom resources without objects have no file; those that couldn't be listed are named in the errors. */
function failed(errors: unknown, crd: string): boolean {
  const text = errors ? JSON.stringify(errors) : "";
  const namesNone = !/[a-z0-9-]+\.[a-z0-9-]+\.[a-z]/.test(text);
  return text !== "" && text !== "[]" && text !== "{}" && (text.includes(crd) || namesNone);
}

function coversAll(objects: readonly SnapshotObject[], seen: ReadonlySet<string>): boolean {
  const all = objects.filter((object) => object.kind === "Namespace");
  return all.length > 0 && all.every((namespace) => seen.has(namespace.metadata.name));
}

/** Namespaces of a resource that was read elsewhere, which the collector was refused. */
function refusedBy(errors: ReadonlyMap<string, unknown>, resources: ReadonlySet<string>): readonly RefusedRequest[] {
  return [...errors].flatMap(([resource, byNamespace]) => {
    if (!resources.has(resource) || byNamespace === null || typeof byNamespace !== "object" || Array.isArray(byNamespace)) return [];
    return Object.entries(byNamespace).map(([namespace, message]) => ({
      resource,
      namespace,
      code: 501,
      reason: "NotCollected",
      message: String(message),
    }));
  });
}

function versionFrom(files: BundleFiles, limits: BundleLimits): Snapshot["version"] {
  const path = "cluster-info/cluster_version.json";
  const bytes = files.get(path);
  const { info } = ((bytes && documentsIn(path, bytes, limits)[0]) ?? {}) as { info?: { gitVersion?: unknown } };
  return typeof info?.gitVersion === "string" ? { ...info, gitVersion: info.gitVersion } : null;
}
