import { describe, expect, test } from "vitest";
import { applyOverlay, type Overlay } from "./overlay.ts";
import { object, pod, snapshotOf } from "./test-cluster.ts";

const base = snapshotOf(
  [
    pod("a", { app: "x", tier: "y" }, { status: { phase: "Running", containerStatuses: [{ name: "main", ready: true }] } }),
    pod("b", {}),
    object("v1", "Node", undefined, "n"),
    object("v1", "Service", "default", "s", { spec: { ports: [{ port: 443 }] } }),
  ],
  { logs: new Map([["cert-manager/a/main", "text\n"]]), answers: { counts: { x: 1 }, access: [] }, reportedErrors: ["old"] },
);
const apply = (overlay: Overlay) => applyOverlay(base, overlay, "changed");
const found = (overlay: Overlay, name: string) => apply(overlay).objects.find((one) => one.metadata.name === name);

test("without differences it is the base under another name", () => {
  expect(apply({})).toEqual({ ...base, name: "changed" });
});

describe("objects", () => {
  test("are merged: null deletes, lists replace, the base stays", () => {
    const before = structuredClone(base.objects);
    const changes = {
      kind: "Pod",
      metadata: { namespace: "cert-manager", name: "a", labels: { tier: null, new: "z" } },
      status: { phase: "Pending", containerStatuses: [] },
    };
    expect(found({ objects: [changes] }, "a")).toMatchObject({
      apiVersion: "v1",
      metadata: { labels: { app: "x", new: "z" } },
      status: { phase: "Pending", containerStatuses: [] },
    });
    expect(base.objects).toEqual(before);
  });
  test("or added, when they say what they are", () => {
    expect(found({ objects: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "c" } }] }, "c")).toBeDefined();
    expect(() => apply({ objects: [{ kind: "Pod", metadata: { name: "c" } }] })).toThrow("overlay: no object Pod/c to change");
    expect(() => apply({ objects: [{ kind: "Pod" } as never] })).toThrow("without kind or name");
  });
});

test.each([
  ["Pod", ["n", "s"]],
  ["Pod/cert-manager/*", ["n", "s"]],
  ["Pod/cert-manager/a", ["b", "n", "s"]],
  ["Node/n", ["a", "b", "s"]],
])("remove %s", (pattern, left) => {
  expect(apply({ remove: [pattern] }).objects.map((one) => one.metadata.name)).toEqual(left);
});

test.each(["Pods", "Pod/default/*", "Pod/cert-manager/c", "Node/default/n", "Pod/a"])("remove %s matches nothing", (pattern) => {
  expect(() => apply({ remove: [pattern] })).toThrow(`overlay: remove matches nothing: ${pattern}`);
});

describe("set", () => {
  const set = (fields: Record<string, unknown>, key = "Pod/cert-manager/a") => apply({ set: { [key]: fields } }).objects[0];
  test("changes, adds and deletes fields", () => {
    const fields = {
      "status.containerStatuses[0].ready": false,
      "spec.nodeName": "n",
      'metadata.labels["example.com/a.b"]': "c",
      "metadata.labels.tier": null,
      "metadata.annotations.x": "y",
    };
    expect(set(fields)).toMatchObject({
      metadata: { labels: { app: "x", "example.com/a.b": "c" }, annotations: { x: "y" } },
      spec: { nodeName: "n" },
      status: { containerStatuses: [{ name: "main", ready: false }] },
    });
    expect(base.objects[0]).toMatchObject({ status: { containerStatuses: [{ ready: true }] } });
    expect(set({ "status.containerStatuses[0]": null })).toMatchObject({ status: { containerStatuses: [] } });
  });
  test.each([
    [{ "status.containerStatuses[1].ready": true }],
    [{ "status.containerStatuses[1]": {} }],
    [{ "status.none": null }],
    [{ "status.none.deeper": null }],
    [{ "status.phase.deeper": 1 }],
    [{ "status.phase[0]": 1 }],
  ])("%j matches nothing", (fields) => {
    expect(() => set(fields)).toThrow(`overlay: set matches nothing: Pod/cert-manager/a ${Object.keys(fields)[0]}`);
  });
  test("needs an object and a path", () => {
    expect(() => set({ x: 1 }, "Pod/cert-manager/c")).toThrow("overlay: set matches nothing: Pod/cert-manager/c");
    expect(() => set({ "a[b": 1 })).toThrow("not a path");
  });
});

test("everything else is replaced by key", () => {
  const changed = apply({
    now: "2026-02-03T04:05:06Z",
    logs: { "cert-manager/a/main": null, "cert-manager/b/main": "new\n" },
    answers: { counts: {} },
    collected: { resources: ["pods"] },
    reportedErrors: [],
    version: { gitVersion: "v1.30.0" },
  });
  expect(changed).toMatchObject({ now: new Date("2026-02-03T04:05:06Z"), answers: { counts: {}, access: [] }, reportedErrors: [] });
  expect([...changed.logs.keys()]).toEqual(["cert-manager/b/main"]);
  expect(changed.collected).toEqual({ resources: new Set(["pods"]), namespaces: null });
  expect(changed.version?.gitVersion).toBe("v1.30.0");
  expect(() => apply({ logs: { "cert-manager/c/main": null } })).toThrow("logs matches nothing");
  expect(() => apply({ now: "soon" })).toThrow("no date");
});
