import type { Answered } from "../../lib/snapshot/contract/exchange.ts";
import type { SnapshotObject } from "../../lib/snapshot/snapshot.ts";
import { redacted } from "./recording/redact.ts";

type Json = Record<string, unknown>;

/** Two answers to one request without what can't be equal, each with its reason. */
export function comparable(real: Answered, embedded: Answered): readonly [object, object] {
  const [a, b] = [real, embedded].map(({ status, contentType, text }) => ({ status, contentType, body: parsed(text) })) as [Seen, Seen];
  return [
    { ...a, body: withoutAccident(a.body, b.body) },
    { ...b, body: withoutAccident(b.body, b.body) },
  ];
}

interface Seen {
  readonly status: number;
  readonly contentType: string;
  readonly body: Json | string;
}

function parsed(text: string): Json | string {
  return text.startsWith("{") ? (JSON.parse(text) as Json) : text;
}

function withoutAccident(body: Json | string, embedded: Json | string): unknown {
  if (typeof body === "string" || body.kind === "Status") return body;
  const { kind } = body;
  // Where a client reaches the server from.
  if (kind === "APIVersions") return { ...body, serverAddressByClientCIDRs: [] };
  if (kind === "APIGroupList") return { ...body, groups: known(body.groups, (embedded as Json).groups, ["name", "preferredVersion"]) };
  if (kind === "APIResourceList")
    return { ...body, resources: known(body.resources, (embedded as Json).resources, ["name", "singularName", "namespaced", "kind"]) };
  if (Array.isArray(body.items)) {
    const { resourceVersion: _, continue: token, ...metadata } = body.metadata as Json;
    // Revision and continue tokens are a server's own.
    return {
      ...body,
      metadata: { ...metadata, ...(token === undefined ? {} : { continue: token === "" ? "" : "token" }) },
      items: body.items.map((item) => kept(item as Json, kind)),
    };
  }
  return body.metadata ? kept(body, kind) : body;
}

/** Of a discovery list, what the embedded server serves too; it says nothing of short names, subresources, or in which order. */
function known(list: unknown, served: unknown, fields: readonly string[]): readonly Json[] {
  const names = (served as readonly Json[]).map((entry) => entry.name);
  return (list as readonly Json[])
    .filter((entry) => names.includes(entry.name))
    .map((entry) => Object.fromEntries(fields.map((field) => [field, entry[field]])))
    .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}

/** What a recording keeps of an object. */
function kept(object: Json, listKind: unknown): unknown {
  const kind = String(object.kind ?? String(listKind).replace(/List$/, ""));
  const { metadata, ...rest } = redacted({ ...object, kind } as unknown as SnapshotObject);
  // Which of them is left out depends on the kind, which metadata alone doesn't tell.
  const { managedFields: _, ...others } = metadata;
  const whole = { ...rest, metadata: others } as unknown as Json;
  if (kind === "SelfSubjectAccessReview") return { ...whole, status: { allowed: (object.status as Json).allowed } };
  return isDryRun(metadata) ? asSent(whole) : whole;
}

/** A create that nobody stored has no revision. */
function isDryRun(metadata: object): boolean {
  return !("resourceVersion" in metadata) && "uid" in metadata;
}

/** Made up by the server for one request: identity, time, random name. Who asked is recorded by name only. */
function asSent({ metadata, spec, ...rest }: Json): Json {
  const { uid: _, creationTimestamp: __, ...others } = metadata as Json;
  const { uid: ___, groups: ____, username: _____, extra: ______, ...sent } = spec as Json;
  return { ...rest, metadata: { ...others, ...(others.generateName ? { name: "generated" } : {}) }, spec: sent, asked: Boolean((spec as Json).username) };
}
