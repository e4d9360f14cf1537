import { request } from "undici";
import { collectionPath, type Resource, resources } from "../kube/resources.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import type { Connection } from "./connection.ts";
import { ClusterError, InputError } from "./errors.ts";
import type { ClusterReader, CreateAnswer, Listed, ListOptions, ReadOptions } from "./reader.ts";
import { transportProblem } from "./transport-problem.ts";

/** Long enough for a slow link, short enough that a checkup ends. Milliseconds. */
const defaultTimeoutMs = 10_000;
/** A page of a list. */
const pageSize = 500;
/** An answer names its second, and was some time on the way: clocks that differ by less are taken as equal. Milliseconds. */
const clockTolerance = 3_000;
/** Nothing that a checkup asks for is larger than this; more is a fault or an attack. */
const largestAnswer = 64 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly accept?: string;
  readonly body?: object;
  readonly timeoutMs?: number;
  /** For messages: `list pods in namespace x`. */
  readonly what: string;
}

/** Reads one API server over HTTP. Raw, because the generated client drops fields and opens a connection per request. */
export function httpReader(
  connection: Connection,
  identity: Pick<ClusterReader, "name" | "context" | "namespace" | "kind">,
  /** Scales every time limit: tests wait for none of them in full. */
  patience = 1,
): ClusterReader & { close(): Promise<void> } {
  const traffic = { requests: 0, bytes: 0 };
  let clockOffset = 0;

  async function send(ask: Ask): Promise<Answer> {
    const { headers, dispatcher } = await connection.authorize();
    traffic.requests += 1;
    const timeoutMs = (ask.timeoutMs ?? defaultTimeoutMs) * patience;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(connection.server + ask.path, {
        method: ask.method,
        dispatcher,
        signal,
        headers: {
          ...headers,
          accept: ask.accept ?? "application/json",
          "user-agent": "certmedic",
          ...(ask.body ? { "content-type": "application/json" } : {}),
        },
        body: ask.body ? JSON.stringify(ask.body) : null,
      });
      const ahead = Date.parse(String(answer.headers.date)) - Date.now();
      if (!Number.isNaN(ahead)) clockOffset = Math.abs(ahead) > clockTolerance ? ahead : 0;
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer.body) {
        size += chunk.length;
        if (size > largestAnswer) {
          answer.body.destroy();
          throw new ClusterError("bad-answer", `${ask.what}: the answer is larger than ${largestAnswer / 1024 / 1024} MiB`);
        }
        chunks.push(chunk);
      }
      traffic.bytes += size;
      return { status: answer.statusCode, text: Buffer.concat(chunks).toString("utf8") };
    } catch (error) {
      if (error instanceof ClusterError || error instanceof InputError) throw error;
      if (signal.aborted) throw new ClusterError("timeout", `${ask.what}: no answer in ${timeoutMs / 1000} s`, { cause: error });
      const problem = transportProblem(error, connection.server);
      throw new ClusterError(problem.reason, problem.reason === "unreachable" ? problem.message : `${ask.what}: ${problem.message}`, { cause: error });
    }
  }

  /** The parsed body of a 2xx answer. */
  async function json<T>(ask: Ask): Promise<T> {
    const answer = await send(ask);
    if (answer.status < 200 || answer.status > 299) throw refusal(ask.what, answer);
    return parse<T>(ask.what, answer);
  }

  const metadataAccept = (list: boolean) => `application/json;as=PartialObjectMetadata${list ? "List" : ""};g=meta.k8s.io;v=v1`;

  return {
    ...identity,
    traffic,
    now: () => new Date(Date.now() + clockOffset),
    close: () => connection.close(),

    version: (timeoutMs) => json({ method: "GET", path: "/version", what: "get the version", timeoutMs }),

    async get<T extends KubeObject>(of: Resource, name: string, options: ReadOptions = {}): Promise<T | null> {
      const what = `get ${of.plural} "${name}"${inNamespace(options.namespace)}`;
      const path = `${collectionPath(of, options.namespace)}/${encodeURIComponent(name)}`;
      const answer = await send({ method: "GET", path, what, accept: options.metadataOnly ? metadataAccept(false) : undefined, timeoutMs: options.timeoutMs });
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw refusal(what, answer);
      return objectIn<T>(what, answer);
    },

    async list<T extends KubeObject>(of: Resource, options: ListOptions = {}): Promise<Listed<T>> {
      const what = `list ${of.plural}${inNamespace(options.namespace)}`;
      const items: T[] = [];
      let next: string | undefined;
      for (;;) {
        const query = new URLSearchParams({ limit: String(options.limit ?? pageSize) });
        if (options.labelSelector) query.set("labelSelector", options.labelSelector);
        if (options.fieldSelector) query.set("fieldSelector", options.fieldSelector);
        if (next) query.set("continue", next);
        const page = await json<{ items?: T[]; metadata?: { continue?: string; remainingItemCount?: number } }>({
          method: "GET",
          path: `${collectionPath(of, options.namespace)}?${query}`,
          what,
          accept: options.metadataOnly ? metadataAccept(true) : undefined,
          timeoutMs: options.timeoutMs,
        });
        // An empty Go slice is null on the wire; anything else isn't a list of the kind that was asked for.
        if (page.items !== null && !Array.isArray(page.items)) throw new ClusterError("bad-answer", `${what}: the answer isn't a list`);
        // Items of a list don't say what they are.
        for (const item of page.items ?? []) items.push({ ...item, apiVersion: of.group ? `${of.group}/${of.version}` : of.version, kind: of.kind });
        next = page.metadata?.continue || undefined;
        if (!next || options.limit) return { items, remaining: page.metadata?.remainingItemCount ?? 0 };
      }
    },

    async log(of, timeoutMs) {
      const what = `get the log of ${of.namespace}/${of.pod}, container ${of.container}`;
      const query = new URLSearchParams({ container: of.container, tailLines: String(of.tailLines), ...(of.previous ? { previous: "true" } : {}) });
      const path = `${collectionPath(resources.pods, of.namespace)}/${encodeURIComponent(of.pod)}/log?${query}`;
      const answer = await send({ method: "GET", path, what, accept: "text/plain, application/json", timeoutMs });
      // A container that hasn't started, or has no earlier run, has no log: the kubelet says so with 400; without a node nobody says anything.
      if (answer.status === 204 || answer.status === 404) return null;
      if (answer.status === 400 && /not found|waiting to start|is not available|is terminated/.test(answer.text)) return null;
      if (answer.status !== 200) throw refusal(what, answer);
      return answer.text;
    },

    async dryRunCreate(of, namespace, object, timeoutMs): Promise<CreateAnswer> {
      const what = `create ${of.plural}${inNamespace(namespace)} (dry run)`;
      const answer = await send({ method: "POST", path: `${collectionPath(of, namespace)}?dryRun=All&fieldManager=certmedic`, what, body: object, timeoutMs });
      if (answer.status === 201 || answer.status === 200) return { accepted: true, object: parse(what, answer) };
      // What an API server says, without a Status, of a group that no CRD brings.
      if (answer.status === 404 && answer.text.trim() === "404 page not found") {
        return { accepted: false, code: 404, reason: "NotFound", message: "the server could not find the requested resource" };
      }
      const status = statusOf(answer);
      // Only what an API server words as a Status is its judgement; the rest is a failed request.
      if (!status || answer.status === 401 || status.reason === "NotCollected") throw refusal(what, answer);
      return { accepted: false, code: answer.status, reason: status.reason ?? "", message: status.message ?? "" };
    },
  };
}

function inNamespace(namespace?: string): string {
  return namespace ? ` in namespace ${namespace}` : "";
}

function parse<T>(what: string, answer: Answer): T {
  try {
    const value: unknown = JSON.parse(answer.text);
    if (value !== null && typeof value === "object") return value as T;
  } catch {
    // falls through to the one error for both
  }
  throw new ClusterError("bad-answer", `${what}: the answer isn't JSON of an API server (it starts with ${JSON.stringify(answer.text.slice(0, 40))})`, {
    status: answer.status,
  });
}

function objectIn<T extends KubeObject>(what: string, answer: Answer): T {
  const object = parse<T>(what, answer);
  if (typeof object.metadata?.name !== "string") throw new ClusterError("bad-answer", `${what}: the answer has no metadata.name`);
  return object;
}

function statusOf(answer: Answer): { reason?: string; message?: string } | null {
  try {
    const value = JSON.parse(answer.text) as { kind?: string; reason?: string; message?: string };
    return value?.kind === "Status" ? value : null;
  } catch {
    return null;
  }
}

function refusal(what: string, answer: Answer): ClusterError {
  const status = statusOf(answer);
  const message = status?.message || answer.text.slice(0, 200) || `HTTP ${answer.status}`;
  const with_ = (reason: ClusterError["reason"], text: string) => new ClusterError(reason, text, { status: answer.status });
  if (status?.reason === "NotCollected") return with_("not-collected", message);
  switch (answer.status) {
    case 401:
      return with_(
        "unauthorized",
        "The API server doesn't accept the credentials: the token or client certificate may have expired. Log in again, or fetch a new kubeconfig.",
      );
    case 403:
      return with_("forbidden", message);
    case 404:
      return with_("not-served", `${what}: the API server doesn't serve it (${message})`);
    case 429:
      return with_("throttled", `${what}: the API server asks to slow down (${message})`);
    default:
      return answer.status >= 500
        ? with_("server-error", `${what}: HTTP ${answer.status}, ${message}`)
        : with_("bad-answer", `${what}: HTTP ${answer.status}, ${message}`);
  }
}
