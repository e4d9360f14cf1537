import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { refusal, statusAnswer } from "./api-answer.ts";
import { apiRequest } from "./api-request.ts";
import { type FaultOf, garbage, send, sendHalf } from "./fault.ts";
import type { Snapshot } from "./snapshot.ts";
import { type SnapshotApi, snapshotApi } from "./snapshot-api.ts";

/** A small, read-only Kubernetes API for many snapshots, so that a snapshot is read through the same client as a cluster. */
export interface SnapshotServer {
  /** Serves a snapshot; returns the URL to use as the cluster's server address. Mounting an id again replaces it. */
  mount(id: string, snapshot: Snapshot, options?: { fault?: FaultOf }): string;
  unmount(id: string): void;
  /** The last lines received for that mount, in order, such as `GET /api/v1/pods?limit=1`. */
  requests(id: string): readonly string[];
  close(): Promise<void>;
}

interface Mount {
  readonly api: SnapshotApi;
  readonly fault: FaultOf | undefined;
  readonly lines: string[];
}

/** More than any request that the product makes. */
const maxBodyBytes = 1024 * 1024;

/** Demo clusters are asked for as long as the product runs: the oldest lines go. */
const keptLines = 10_000;

/** Starts the server on a free port of the loopback interface. */
export async function startSnapshotServer(): Promise<SnapshotServer> {
  const mounts = new Map<string, Mount>();
  const server = createServer((request, response) => {
    answer(request, response, mounts).catch(() => response.destroy());
  });
  // Longer than any client keeps an idle connection, so that none is closed just as it is used again.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    mount(id, snapshot, options) {
      mounts.set(id, { api: snapshotApi(snapshot), fault: options?.fault, lines: [] });
      return `http://127.0.0.1:${port}/${encodeURIComponent(id)}`;
    },
    unmount(id) {
      mounts.delete(id);
    },
    requests: (id) => mounts.get(id)?.lines ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(incoming: IncomingMessage, response: ServerResponse, mounts: ReadonlyMap<string, Mount>): Promise<void> {
  // A page of the internet can make a browser talk to loopback under its own name (DNS rebinding).
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(incoming.headers.host ?? "")) return send(response, statusAnswer(403, "Forbidden", "unknown host"));
  const [, id = "", rest = ""] = /^\/([^/?]*)(.*)$/s.exec(incoming.url ?? "") ?? [];
  const mount = mounts.get(safelyDecoded(id));
  if (!mount) return send(response, statusAnswer(404, "NotFound", `no snapshot is served as "${id}"`));
  const body = await bodyOf(incoming);
  if (body === undefined) return send(response, statusAnswer(413, "RequestEntityTooLarge", "Request entity too large: limit is 1048576"));
  const method = incoming.method ?? "GET";
  const line = `${method} ${rest || "/"}`;
  mount.lines.push(line);
  if (mount.lines.length > keptLines) mount.lines.shift();
  const request = apiRequest(method, rest || "/", incoming.headers, body);
  const fault = mount.fault?.(line);
  switch (fault?.kind) {
    case undefined:
      return send(response, mount.api(request));
    case "status":
      return send(response, refusal(request, fault.code));
    case "delay":
      return send(response, mount.api(request), fault.ms);
    case "cut-off":
      return sendHalf(response, mount.api(request));
    case "garbage":
      return send(response, garbage);
    case "hang":
      return undefined;
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

function safelyDecoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
