import type { SnapshotObject } from "./snapshot.ts";

/** apiVersion and kind of items that come without. */
export interface Fallback {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** The Kubernetes objects in a parsed document: one, a List, a typed list as the API sends it, or an array. Everything else is passed over. */
export function kubernetesObjects(document: unknown, fallback: Fallback = {}): readonly SnapshotObject[] {
  if (Array.isArray(document)) return document.flatMap((item) => kubernetesObjects(item, fallback));
  if (!isObject(document)) return [];
  const apiVersion = textOr(document.apiVersion, fallback.apiVersion);
  const kind = textOr(document.kind, fallback.kind);
  if ("items" in document && !isNamed(document.metadata)) {
    const itemKind = kind === "List" || !kind?.endsWith("List") ? fallback.kind : kind.slice(0, -"List".length);
    const ofItems = { apiVersion: kind === "List" ? fallback.apiVersion : apiVersion, kind: itemKind };
    return Array.isArray(document.items) ? document.items.flatMap((item) => kubernetesObjects(item, ofItems)) : [];
  }
  if (!apiVersion || !kind || !isNamed(document.metadata)) return [];
  return [{ ...document, apiVersion, kind, metadata: withoutLastApplied(document.metadata) }];
}

/** The same object twice is one; the last wins, as it would when applied. */
export function distinctObjects(objects: Iterable<SnapshotObject>): readonly SnapshotObject[] {
  const byIdentity = new Map<string, SnapshotObject>();
  for (const object of objects) {
    const [group] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : [""];
    byIdentity.set(JSON.stringify([group, object.kind, object.metadata.namespace ?? "", object.metadata.name]), object);
  }
  return [...byIdentity.values()];
}

/** A second copy of the whole object, of no use to us, and a place where secrets linger. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

function withoutLastApplied(metadata: SnapshotObject["metadata"]): SnapshotObject["metadata"] {
  if (!isObject(metadata.annotations) || !(lastApplied in metadata.annotations)) return metadata;
  const { [lastApplied]: _dropped, ...annotations } = metadata.annotations;
  return { ...metadata, annotations };
}

function isNamed(metadata: unknown): metadata is SnapshotObject["metadata"] {
  if (!isObject(metadata) || typeof metadata.name !== "string" || metadata.name === "") return false;
  return metadata.namespace === undefined || typeof metadata.namespace === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function textOr(value: unknown, fallback: string | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : fallback;
}
