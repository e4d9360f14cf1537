import type { Metadata } from "../model/kubernetes.ts";

/** Any Kubernetes object, as the API would give it out alone. */
export interface SnapshotObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

/** What is known of a cluster at one moment: what a bundle, a demo cluster or a test case holds. */
export interface Snapshot {
  readonly name: string;
  /** What "now" is for it. */
  readonly now: Date;
  /** What `/version` answers; null where nobody asked. */
  readonly version: { readonly gitVersion: string; readonly [key: string]: unknown } | null;
  readonly objects: readonly SnapshotObject[];
  /** By `namespace/pod/container` and `namespace/pod/container.previous`; see logKey. */
  readonly logs: ReadonlyMap<string, string>;
  readonly reportedErrors: readonly string[];
  /** What was looked for: null is everything, else plural resource names, and namespaces. What is absent from it is unknown, not absent. */
  readonly collected: { readonly resources: ReadonlySet<string> | null; readonly namespaces: ReadonlySet<string> | null };
  readonly answers: Answers;
}

/** What the API server said to questions that objects don't answer. */
export interface Answers {
  /** Dry-run creates of CertificateRequests; undefined where nobody asked. */
  readonly probe?: { readonly valid: RecordedAnswer; readonly invalid?: RecordedAnswer };
  /** SelfSubjectAccessReviews; what isn't listed is allowed. Missing fields match everything. */
  readonly access?: readonly AccessAnswer[];
  /** Requests that the API server refused. Missing fields match everything. */
  readonly refused?: readonly RefusedRequest[];
  /** Stored objects by CRD name, where the objects themselves aren't in the snapshot. */
  readonly counts?: Readonly<Record<string, number>>;
}

interface AccessAnswer {
  readonly verb?: string;
  readonly resource?: string;
  readonly group?: string;
  readonly namespace?: string;
  readonly allowed: boolean;
}

export interface RefusedRequest {
  readonly verb?: string;
  /** Plural; `pods/log` for logs, or a path such as `/version`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Accepted: the object comes back as sent, with `spec.username`. Otherwise the Status that came. */
export type RecordedAnswer =
  | { readonly accepted: true; readonly username?: string; readonly delayMs?: number }
  | { readonly code: number; readonly reason?: string; readonly message: string; readonly delayMs?: number };

/** The key of a container's log in a snapshot. */
export function logKey(namespace: string, pod: string, container: string, previous = false): string {
  return `${namespace}/${pod}/${container}${previous ? ".previous" : ""}`;
}

/** An object's key among those of its kind in the API server's store, by which lists are ordered. */
export function storeKey({ metadata }: SnapshotObject): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}
