import { InputError } from "../cluster/errors.ts";
import type { BundleFiles } from "./bundle-files.ts";
import type { BundleLimits } from "./bundle-limits.ts";
import { documentsIn } from "./documents.ts";
import { distinctObjects, kubernetesObjects } from "./kubernetes-objects.ts";
import { newestTime } from "./newest-time.ts";
import { recordedAnswers } from "./recorded-answers.ts";
import { groupVersion, servedResources } from "./served-resources.ts";
import { logKey, type Snapshot, type SnapshotObject } from "./snapshot.ts";

/** Files beside the objects that mean something of their own. */
const special: readonly string[] = ["version.json", "answers.yaml", "collected.yaml"];

/** Reads a plain snapshot: Kubernetes objects in files of any layout, logs, and what else is known. */
export function plainSnapshot(name: string, files: BundleFiles, limits: BundleLimits): Snapshot {
  const objects = distinctObjects(objectsOf(files, limits));
  const logs = logsOf(files);
  const one = (path: string): unknown => (files.has(path) ? documentsIn(path, files.get(path) as Uint8Array, limits)[0] : undefined);
  if (objects.length === 0 && logs.size === 0 && !files.has("collected.yaml") && !files.has("answers.yaml")) {
    throw new InputError(`${name} holds no Kubernetes objects: give a folder or archive with YAML or JSON files as kubectl prints them, or a support bundle.`);
  }
  return {
    name,
    now: timestamp(files) ?? newestTime(objects, logs) ?? new Date(),
    version: versionFrom(one("version.json")),
    objects,
    logs,
    reportedErrors: textOf(files, "reported-errors.txt")
      .split(/\r?\n/)
      .filter((line) => line.trim() !== ""),
    collected: files.has("collected.yaml") ? collectedFrom(one("collected.yaml")) : { resources: resourcesOf(objects), namespaces: null },
    answers: recordedAnswers(one("answers.yaml"), "answers.yaml"),
  };
}

function* objectsOf(files: BundleFiles, limits: BundleLimits): Generator<SnapshotObject> {
  let yamlBytes = 0;
  for (const [path, bytes] of files) {
    if (!/\.(ya?ml|json)$/.test(path) || special.includes(path) || path.startsWith("logs/")) continue;
    if (!path.endsWith(".json")) yamlBytes += bytes.length;
    if (yamlBytes > limits.yamlBytes) throw new InputError(`${path} and the YAML before it are too large to be read: save the objects as JSON (-o json).`);
    for (const document of documentsIn(path, bytes, limits)) yield* kubernetesObjects(document);
  }
}

function logsOf(files: BundleFiles): ReadonlyMap<string, string> {
  const logs = new Map<string, string>();
  for (const [path, bytes] of files) {
    const match = /^logs\/([^/]+)\/([^/]+)\/([^/]+?)(\.previous)?\.log$/.exec(path);
    if (!match) continue;
    const [, namespace = "", pod = "", container = "", previous] = match;
    logs.set(logKey(namespace, pod, container, previous !== undefined), new TextDecoder().decode(bytes));
  }
  return logs;
}

function timestamp(files: BundleFiles): Date | undefined {
  const text = textOf(files, "timestamp").trim();
  if (text === "") return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InputError(`timestamp holds no date ("${text.slice(0, 40)}"): write one such as 2026-01-31T12:00:00Z.`);
  return date;
}

function versionFrom(value: unknown): Snapshot["version"] {
  if (value === undefined || value === null) return null;
  const { gitVersion } = value as { gitVersion?: unknown };
  if (typeof gitVersion !== "string") throw new InputError("version.json names no gitVersion: save what kubectl get --raw /version prints.");
  return value as Snapshot["version"];
}

function collectedFrom(value: unknown): Snapshot["collected"] {
  const { resources, namespaces } = (value ?? {}) as { resources?: unknown; namespaces?: unknown };
  return { resources: namesFrom(resources, "resources"), namespaces: namesFrom(namespaces, "namespaces") };
}

function namesFrom(value: unknown, field: string): ReadonlySet<string> | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || !value.every((name) => typeof name === "string"))
    throw new InputError(`collected.yaml can't be used: ${field} must be a list of names.`);
  return new Set(value);
}

/** Nobody said what was collected: a kind of which no object is there may not have been looked for. */
function resourcesOf(objects: readonly SnapshotObject[]): ReadonlySet<string> {
  const kinds = new Set(objects.map((object) => `${groupVersion(object.apiVersion)[0]}/${object.kind}`));
  const nothing = { resources: new Set<string>(), namespaces: null };
  const served = servedResources({
    name: "",
    now: new Date(0),
    version: null,
    objects,
    logs: new Map(),
    reportedErrors: [],
    collected: nothing,
    answers: {},
  });
  return new Set(served.filter((resource) => kinds.has(`${resource.group}/${resource.kind}`)).map((resource) => resource.plural));
}

function textOf(files: BundleFiles, path: string): string {
  return new TextDecoder().decode(files.get(path));
}
