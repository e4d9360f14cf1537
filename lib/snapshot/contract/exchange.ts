import type { SnapshotObject } from "../snapshot.ts";

/** A request, and what the embedded server and a real API server both say to it. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query. */
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: object | string;
  /** Asks for the page after the exchange before, by its continue token. */
  readonly nextPage?: true;
  readonly says: Says;
}

/** The whole of a refusal; of a success what the fixed objects decide, since the rest is compared between the two servers. */
export type Says =
  | { readonly status: 200 | 201 | 204; readonly contentType?: string; readonly text?: string }
  /** A list with these names, and the estimate of what is left. */
  | { readonly names: readonly string[]; readonly left?: number }
  /** A Status. */
  | { readonly code: number; readonly reason?: string; readonly message: string; readonly details?: object }
  /** Go's text for a path that nobody serves. */
  | "404 page not found";

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

type Headers = Pick<Exchange, "accept" | "contentType">;

/** The namespace of the fixed objects. */
export const namespace = "contract";
export const issuers = `/apis/cert-manager.io/v1/namespaces/${namespace}/issuers`;
export const requests = `/apis/cert-manager.io/v1/namespaces/${namespace}/certificaterequests`;
export const deployments = "/apis/apps/v1/namespaces/cert-manager/deployments";
export const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/** The path of a core resource in the namespace of the fixed objects. */
export const core = (plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`;
export const query = (path: string, parameters: Record<string, string>): string => `${path}?${new URLSearchParams(parameters)}`;
export const dryRun = (path: string): string => query(path, { dryRun: "All", fieldManager: "certmedic" });

export const get = (path: string, says: Says = { status: 200 }, headers: Headers = {}): Exchange => ({ method: "GET", path, says, ...headers });
export const post = (path: string, body: object | string, says: Says, headers: Headers = {}): Exchange => ({ method: "POST", path, body, says, ...headers });
export const asText: Headers = { accept: "text/plain" };
export const as = (kind: string): Headers => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });

export const names = (...of: readonly string[]): Says => ({ names: of });
export const status = (code: number, reason: string, message: string, details?: object): Says => ({ code, reason, message, details });
export const badRequest = (message: string): Says => status(400, "BadRequest", message);
export const nothingThere = status(404, "NotFound", "the server could not find the requested resource", {});
export const notAllowed = status(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
export const notFound = (kind: string, name: string, group?: string): Says =>
  status(404, "NotFound", `${group ? `${kind}.${group}` : kind} "${name}" not found`, { name, ...(group && { group }), kind });

export const types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
export const listTypes = `${types}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`;
export const notAcceptable = (message: string, details?: object): Says => status(406, "NotAcceptable", message, details);
export const onlyAccepted = notAcceptable(`only the following media types are accepted: ${types}`);
export const noRepresentation = (available: string): Says => notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available}`, {});

/** What is to be seen in an answer, in the shape of `expected`. */
export function seen({ says }: Exchange, { status: code, contentType, text }: Answered): object {
  if (says === "404 page not found") return { status: code, contentType, text };
  const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : undefined;
  if ("code" in says) return { status: code, contentType, body: json ?? text };
  if ("names" in says) {
    const { items, metadata } = (json ?? {}) as { items?: readonly SnapshotObject[]; metadata?: { remainingItemCount?: number } };
    return { status: code, contentType, names: items?.map((item) => item.metadata.name), left: metadata?.remainingItemCount };
  }
  return { status: code, contentType, ...(says.text !== undefined && { text }) };
}

export function expected({ says }: Exchange): object {
  const contentType = "application/json";
  if (says === "404 page not found") return { status: 404, contentType: "text/plain; charset=utf-8", text: "404 page not found\n" };
  if ("code" in says) return { status: says.code, contentType, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", ...says } };
  if ("names" in says) return { status: 200, contentType, names: says.names, left: says.left };
  return { contentType, ...says };
}
