import { afterAll } from "vitest";
import type { FaultOf } from "./fault.ts";
import { startSnapshotServer } from "./server.ts";
import type { Snapshot, SnapshotObject } from "./snapshot.ts";

/** One server for all tests of a file. */
export const server = await startSnapshotServer();
afterAll(() => server.close());

export const object = (apiVersion: string, kind: string, namespace: string | undefined, name: string, rest: object = {}): SnapshotObject => ({
  apiVersion,
  kind,
  ...rest,
  metadata: { name, ...(namespace && { namespace }), ...(rest as { metadata?: object }).metadata },
});

export const pod = (name: string, labels: Record<string, string>, rest: object = {}): SnapshotObject =>
  object("v1", "Pod", "cert-manager", name, { metadata: { labels }, spec: { containers: [{ name: "main" }] }, ...rest });

export const crd = (plural: string, kind: string, rest: object = {}): SnapshotObject =>
  object("apiextensions.k8s.io/v1", "CustomResourceDefinition", undefined, `${plural}.cert-manager.io`, {
    spec: { names: { kind, plural }, scope: "Namespaced", versions: [{ name: "v1", served: true }] },
    ...rest,
  });

export const snapshotOf = (objects: readonly SnapshotObject[], rest: Partial<Snapshot> = {}): Snapshot => ({
  name: "test",
  now: new Date("2026-01-01T00:00:00Z"),
  version: { gitVersion: "v1.36.3" },
  objects,
  logs: new Map(),
  reportedErrors: [],
  collected: { resources: null, namespaces: null },
  answers: {},
  ...rest,
});

let ids = 0;
export function serve(snapshot: Snapshot, fault?: FaultOf) {
  ids += 1;
  const id = `test ${ids}`;
  const url = server.mount(id, snapshot, { fault });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
    return { code: response.status, headers: response.headers, text, json: (text.startsWith("{") ? JSON.parse(text) : undefined) as any };
  };
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return { code: response.status, json: (await response.json()) as any };
  };
  return { id, url, get, post };
}

/** The names of a list's items. */
export const names = (list: { items: { metadata: { name: string } }[] }) => list.items.map((item) => item.metadata.name);
