import { refText } from "../model/object-ref.ts";
import { setAtPath } from "./field-path.ts";
import { mergePatch } from "./merge-patch.ts";
import type { Answers, Snapshot, SnapshotObject } from "./snapshot.ts";

/** An object to add, or the parts of one to change: kind and name are needed to find it. */
interface ObjectPatch {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** Small differences to a snapshot, applied in the order of these fields: demo clusters and test cases are made of them. */
export interface Overlay {
  /** RFC 3339. */
  readonly now?: string;
  /** `Kind/namespace/name`, `Kind/name`, `Kind/namespace/*`, or `Kind` for all of that kind. */
  readonly remove?: readonly string[];
  /** Merged (RFC 7386) into the object of the same kind, namespace and name, or added; a new one needs its apiVersion. */
  readonly objects?: readonly ObjectPatch[];
  /** By object, and then by field: `{ "Kind/namespace/name": { "webhooks[0].clientConfig.caBundle": "" } }`; null deletes the field. */
  readonly set?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By log key; null removes. */
  readonly logs?: Readonly<Record<string, string | null>>;
  /** Replaces the keys that are given. */
  readonly answers?: Answers;
  readonly collected?: { readonly resources?: readonly string[]; readonly namespaces?: readonly string[] };
  readonly reportedErrors?: readonly string[];
  readonly version?: { readonly gitVersion: string };
}

/** The base with the differences applied. What matches nothing is an error, so that a typo can't pass for a state. */
export function applyOverlay(base: Snapshot, overlay: Overlay, name: string): Snapshot {
  const { collected } = overlay;
  return {
    name,
    now: overlay.now === undefined ? base.now : dateOf(overlay.now),
    version: overlay.version ? { ...base.version, ...overlay.version } : base.version,
    objects: withFields(merged(without(base.objects, overlay.remove ?? []), overlay.objects ?? []), overlay.set ?? {}),
    logs: withLogs(base.logs, overlay.logs ?? {}),
    reportedErrors: overlay.reportedErrors ?? base.reportedErrors,
    collected: {
      resources: collected?.resources ? new Set(collected.resources) : base.collected.resources,
      namespaces: collected?.namespaces ? new Set(collected.namespaces) : base.collected.namespaces,
    },
    answers: { ...base.answers, ...overlay.answers },
  };
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`overlay: now is no date: ${text}`);
  return date;
}

function without(objects: readonly SnapshotObject[], patterns: readonly string[]): readonly SnapshotObject[] {
  return patterns.reduce((left, pattern) => {
    const kept = left.filter((object) => !isMatched(object, pattern));
    if (kept.length === left.length) throw new Error(`overlay: remove matches nothing: ${pattern}`);
    return kept;
  }, objects);
}

function isMatched(object: SnapshotObject, pattern: string): boolean {
  if (!pattern.includes("/")) return object.kind === pattern;
  if (pattern.endsWith("/*")) return object.metadata.namespace !== undefined && `${object.kind}/${object.metadata.namespace}/*` === pattern;
  return keyOf(object) === pattern;
}

function merged(objects: readonly SnapshotObject[], patches: readonly ObjectPatch[]): readonly SnapshotObject[] {
  const byKey = new Map(objects.map((object) => [keyOf(object), object]));
  for (const patch of patches) {
    if (!patch.kind || !patch.metadata?.name) throw new Error(`overlay: object without kind or name: ${JSON.stringify(patch)}`);
    const key = keyOf(patch);
    const target = byKey.get(key);
    if (!target && !patch.apiVersion) throw new Error(`overlay: no object ${key} to change, and no apiVersion to add it`);
    byKey.set(key, mergePatch(target ?? {}, patch) as SnapshotObject);
  }
  return [...byKey.values()];
}

function withFields(objects: readonly SnapshotObject[], set: NonNullable<Overlay["set"]>): readonly SnapshotObject[] {
  const byKey = new Map(objects.map((object) => [keyOf(object), object]));
  for (const [key, fields] of Object.entries(set)) {
    const target = byKey.get(key);
    if (!target) throw new Error(`overlay: set matches nothing: ${key}`);
    const changed = structuredClone(target);
    for (const [path, value] of Object.entries(fields)) setAtPath(changed, path, structuredClone(value), key);
    byKey.set(key, changed);
  }
  return [...byKey.values()];
}

function withLogs(logs: ReadonlyMap<string, string>, changes: NonNullable<Overlay["logs"]>): ReadonlyMap<string, string> {
  const result = new Map(logs);
  for (const [key, text] of Object.entries(changes)) {
    if (text !== null) result.set(key, text);
    else if (!result.delete(key)) throw new Error(`overlay: logs matches nothing: ${key}`);
  }
  return result;
}

function keyOf(object: { kind: string; metadata: { name: string; namespace?: string } }): string {
  return refText({ kind: object.kind, namespace: object.metadata.namespace, name: object.metadata.name });
}
