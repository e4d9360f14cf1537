import type { Resource } from "../kube/resources.ts";
import type { KubeObject } from "../model/kubernetes.ts";

export interface ReadOptions {
  readonly namespace?: string;
  /** Ask for names, labels, annotations and owners only (PartialObjectMetadata). */
  readonly metadataOnly?: boolean;
  /** Milliseconds until the request counts as failed. */
  readonly timeoutMs?: number;
}

export interface ListOptions extends ReadOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Stop after the first page of this size; without it every page is read. */
  readonly limit?: number;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** How many more there are beyond `items`; an estimate (catalogue 0.7.15). */
  readonly remaining: number;
}

/** The API server's answer to a dry-run create: the object as it would have been stored, or the refusal. */
export type CreateAnswer =
  | { readonly accepted: true; readonly object: Readonly<Record<string, unknown>> }
  | { readonly accepted: false; readonly code: number; readonly reason: string; readonly message: string };

/** How a cluster is read: nothing here can change it. Every method rejects with a ClusterError where the answer can't be used. */
export interface ClusterReader {
  /** The name in addresses, commands and reports. */
  readonly name: string;
  /** Where commands must be pointed; null for snapshots, which no command can reach. */
  readonly context: string | null;
  /** The namespace that the user's context names. */
  readonly namespace: string | null;
  readonly kind: "live" | "in-cluster" | "snapshot";
  /** The API server's clock, as its answers tell it: ages and leases mustn't depend on a laptop's. This machine's before the first answer. */
  now(): Date;
  version(timeoutMs?: number): Promise<{ gitVersion: string }>;
  /** One object, or null where the API server says that it doesn't exist. */
  get<T extends KubeObject>(of: Resource, name: string, options?: ReadOptions): Promise<T | null>;
  list<T extends KubeObject>(of: Resource, options?: ListOptions): Promise<Listed<T>>;
  /** The last lines of a container's log; null where the container has none. */
  log(of: { namespace: string; pod: string; container: string; previous: boolean; tailLines: number }, timeoutMs?: number): Promise<string | null>;
  /** A server-side dry run (`dryRun=All`): admission runs, nothing is stored. */
  dryRunCreate(of: Resource, namespace: string, object: object, timeoutMs: number): Promise<CreateAnswer>;
  /** Requests sent and bytes of answers read so far. */
  readonly traffic: { readonly requests: number; readonly bytes: number };
}
