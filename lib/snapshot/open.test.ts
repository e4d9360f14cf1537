import { describe, expect, test } from "vitest";
import { InputError } from "../cluster/errors.ts";
import { openSnapshot } from "./open.ts";
import { archiveOf, entriesOf, folderOf, freshPath, refusalOf, written } from "./test-bundle.ts";

const podYaml = `apiVersion: v1
kind: Pod
metadata:
  name: a
  namespace: cert-manager
  creationTimestamp: "2026-01-01T00:00:00Z"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"secret":"x"}'
    kept: "yes"
`;

describe("a plain snapshot", () => {
  const files = {
    "some/where/pods.yaml": `${podYaml}---\n# nothing\n---\n${podYaml.replace("name: a", "name: b")}`,
    "list.json": JSON.stringify({ kind: "List", apiVersion: "v1", items: [{ apiVersion: "v1", kind: "Service", metadata: { name: "s" } }] }),
    "typed.yml": "apiVersion: coordination.k8s.io/v1\nkind: LeaseList\nmetadata: {}\nitems:\n- metadata: {name: l, namespace: kube-system}\n",
    "values.yaml": "replicas: 2\n",
    "logs/cert-manager/a/main.log": "now\n",
    "logs/cert-manager/a/main.previous.log": "before\n",
    "reported-errors.txt": "one\n\n  two\r\n",
    timestamp: "2026-05-06T07:08:09+02:00\n",
    "version.json": '{"gitVersion":"v1.30.1","platform":"linux/amd64"}',
    "answers.yaml": "probe: {valid: {accepted: true, username: me}}\ncounts: {certificates.cert-manager.io: 3}\n",
    "collected.yaml": "resources: [pods, leases]\nnamespaces: [cert-manager]\n",
  };

  test.each([
    ["folder", () => folderOf(files)],
    [".tar.gz", () => archiveOf(entriesOf(files))],
    [".tgz", () => archiveOf(entriesOf(files), "snap.tgz")],
    [".tar", () => archiveOf(entriesOf(files), "snap.tar")],
    ["archive of a folder", () => archiveOf(entriesOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [`./outer/${path}`, text]))))],
  ])("%s", async (_kind, make) => {
    const snapshot = await openSnapshot(await make());
    expect(snapshot).toMatchObject({ name: "snap", now: new Date("2026-05-06T05:08:09Z"), version: { gitVersion: "v1.30.1" } });
    expect(snapshot.objects.map((one) => `${one.apiVersion} ${one.kind} ${one.metadata.name}`).sort()).toEqual([
      "coordination.k8s.io/v1 Lease l",
      "v1 Pod a",
      "v1 Pod b",
      "v1 Service s",
    ]);
    expect(Object.fromEntries(snapshot.logs)).toEqual({ "cert-manager/a/main": "now\n", "cert-manager/a/main.previous": "before\n" });
    expect(snapshot.reportedErrors).toEqual(["one", "  two"]);
    expect(snapshot.collected).toEqual({ resources: new Set(["pods", "leases"]), namespaces: new Set(["cert-manager"]) });
    expect(snapshot.answers).toEqual({ probe: { valid: { accepted: true, username: "me" } }, counts: { "certificates.cert-manager.io": 3 } });
    expect(snapshot.objects.find((one) => one.metadata.name === "a")?.metadata.annotations).toEqual({ kept: "yes" });
  });

  test("without collected.yaml, kinds that aren't there are unknown", async () => {
    const issuer = "apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: {name: i}\n";
    const { collected } = await openSnapshot(await folderOf({ "a.yaml": `${podYaml}---\n${issuer}` }));
    expect(collected).toEqual({ resources: new Set(["pods", "clusterissuers"]), namespaces: null });
  });

  test("an empty collected.yaml means everything, and then no objects are fine", async () => {
    const { collected, objects, version, answers } = await openSnapshot(await folderOf({ "collected.yaml": "" }));
    expect({ collected, objects, version, answers }).toEqual({
      collected: { resources: null, namespaces: null },
      objects: [],
      version: null,
      answers: {},
    });
  });

  test("an object in two files is one, the last", async () => {
    const { objects } = await openSnapshot(await folderOf({ "a.yaml": podYaml, "b.yaml": podYaml.replace("kept", "new") }));
    expect(objects.map((one) => one.metadata.annotations)).toEqual([{ new: "yes" }]);
  });
});

describe("now, without a timestamp", () => {
  const open = async (...objects: object[]) => (await openSnapshot(await folderOf({ "a.json": JSON.stringify(objects) }))).now.toISOString();
  const old = { apiVersion: "v1", kind: "Node", metadata: { name: "n", creationTimestamp: "2026-01-01T00:00:00Z" } };
  const named = { metadata: { name: "x" } };

  test.each<[string, object]>([
    ["creation", { apiVersion: "v1", kind: "Pod", metadata: { name: "x", creationTimestamp: "2026-02-01T00:00:00Z" } }],
    ["event", { apiVersion: "v1", kind: "Event", ...named, lastTimestamp: null, eventTime: "2026-02-01T00:00:00.000000Z" }],
    ["condition", { apiVersion: "v1", kind: "Node", ...named, status: { conditions: [{ type: "Ready", lastHeartbeatTime: "2026-02-01T00:00:00Z" }] } }],
    ["lease", { apiVersion: "coordination.k8s.io/v1", kind: "Lease", ...named, spec: { renewTime: "2026-02-01T00:00:00.000000Z" } }],
    [
      "container state",
      {
        apiVersion: "v1",
        kind: "Pod",
        ...named,
        status: { containerStatuses: [{ lastState: { terminated: { finishedAt: "2026-02-01T00:00:00Z" } } }] },
      },
    ],
  ])("is the newest %s", async (_kind, object) => {
    expect(await open(old, object)).toBe("2026-02-01T00:00:00.000Z");
  });

  test("is never a date that lies ahead by nature", async () => {
    const status = { notAfter: "2027-01-01T00:00:00Z", renewalTime: "2026-12-01T00:00:00Z", conditions: "none" };
    expect(await open(old, { apiVersion: "cert-manager.io/v1", kind: "Certificate", ...named, status })).toBe("2026-01-01T00:00:00.000Z");
  });

  test.each([
    ["klog, whose year comes from the rest", "E1231 23:59:58.123456       1 x.go:1] expires 2030-01-01T00:00:00Z", "2025-12-31T23:59:58.123Z"],
    ["klog", "I0203 00:00:00.500000       1 x.go:1] y", "2026-02-03T00:00:00.500Z"],
    ["plain", "2026-02-01T00:00:00.5Z started", "2026-02-01T00:00:00.500Z"],
    ["JSON", '{"ts":"2026-02-01T00:00:00Z","msg":"until 2030-01-01T00:00:00Z"}', "2026-02-01T00:00:00.000Z"],
    ["JSON with milliseconds", `{"ts":${Date.parse("2026-02-01T00:00:00Z")}.25,"msg":"x"}`, "2026-02-01T00:00:00.000Z"],
    ["logfmt", 'time="2026-02-01T00:00:00Z" level=info', "2026-02-01T00:00:00.000Z"],
  ])("is in the last lines of logs: %s", async (_form, line, expected) => {
    const node = JSON.stringify({ ...old, metadata: { name: "n", creationTimestamp: "2025-12-01T00:00:00Z" } });
    const { now } = await openSnapshot(await folderOf({ "a.json": node, "logs/x/y/z.log": `first\n${line}\n\n` }));
    expect(now.toISOString()).toBe(expected);
  });
});

describe("what can't be opened is an InputError that says what to do", () => {
  const text = "just text\n";
  test.each<[string, () => Promise<string>, RegExp]>([
    ["a missing path", async () => freshPath("none.tar.gz"), /There is no file or folder .*none\.tar\.gz: check the path\./],
    ["a file that is no archive", () => written(freshPath("a.tar.gz"), text), /isn't a folder or a \.tar\.gz, \.tgz or \.tar archive/],
    ["an empty file", () => written(freshPath("a.tgz"), ""), /isn't a folder or/],
    ["gzip of something else", async () => written(freshPath("a.tgz"), (await import("node:zlib")).gzipSync(text.repeat(200))), /damaged or isn't a tar/],
    ["an empty archive", () => archiveOf([]), /is empty, or holds no YAML, JSON or log files/],
    ["an empty folder", () => folderOf({}), /is empty/],
    ["YAML without objects", () => folderOf({ "values.yaml": "a: 1\n" }), /holds no Kubernetes objects/],
    [
      "broken YAML among good",
      () => folderOf({ "a.yaml": podYaml, "b/bad.yaml": "a: 1\nb: [1,\nc: }\n" }),
      /^b\/bad\.yaml isn't valid YAML \(line \d+: .*\): correct it/,
    ],
    ["broken JSON among good", () => folderOf({ "a.yaml": podYaml, "bad.json": '{\n "a": 1,\n "b": oops\n}\n' }), /^bad\.json isn't valid JSON \(line 3: /],
    ["JSON that ends early", () => folderOf({ "bad.json": '{\n "a": {\n' }), /^bad\.json isn't valid JSON \(line 3: /],
    ["a timestamp that is none", () => folderOf({ "a.yaml": podYaml, timestamp: "yesterday" }), /^timestamp holds no date/],
    ["a version that is none", () => folderOf({ "a.yaml": podYaml, "version.json": "{}" }), /^version\.json names no gitVersion/],
    ["collected.yaml", () => folderOf({ "collected.yaml": "resources: pods\n" }), /^collected\.yaml can't be used: resources must be a list/],
    ["answers.yaml: a typo", () => folderOf({ "answers.yaml": "probes: {}\n" }), /probes is unknown/],
    ["answers.yaml: a probe", () => folderOf({ "answers.yaml": "probe: {valid: {code: 500}}\n" }), /probe\.valid\.message must be a text/],
    ["answers.yaml: a count", () => folderOf({ "answers.yaml": "counts: {x: many}\n" }), /counts\["x"\] must be a number/],
    ["answers.yaml: access", () => folderOf({ "answers.yaml": "access: [{verb: get}]\n" }), /access\[0\]\.allowed must be/],
    ["answers.yaml: refused", () => folderOf({ "answers.yaml": "refused: [{code: 200}]\n" }), /refused\[0\]\.code must be/],
    ["must-gather", () => folderOf({ "x/cluster-scoped-resources/core/nodes/n.yaml": podYaml, "y/a.yaml": podYaml }), /must-gather .* can't be opened yet/],
    [
      "cluster-info dump",
      () => folderOf({ "nodes.json": "{}", "default/pods.json": "{}", "default/replication-controllers.json": "{}" }),
      /kubectl cluster-info dump, which can't be opened yet/,
    ],
  ])("%s", async (_what, make, message) => {
    const error = await refusalOf(await make());
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^[^\n]*[.]$/);
  });
});
