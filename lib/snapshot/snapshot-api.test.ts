import { describe, expect, test } from "vitest";
import type { Answers } from "./snapshot.ts";
import { crd, names, object, pod, serve, server, snapshotOf } from "./test-cluster.ts";

describe("reading", () => {
  const { get, id } = serve(
    snapshotOf([
      pod("b", { app: "webhook", tier: "x" }),
      pod("a", { app: "cainjector" }),
      object("v1", "Pod", "default", "c", { metadata: { labels: { app: "other" } } }),
      object("v1", "Event", "cert-manager", "e1", { type: "Warning", reason: "Failed", involvedObject: { kind: "Pod", name: "a" } }),
      object("v1", "Event", "cert-manager", "e2", { type: "Normal", reason: "Pulled", involvedObject: { kind: "Pod", name: "b" } }),
      object("v1", "Secret", "cert-manager", "s", { type: "helm.sh/release.v1" }),
      crd("certificates", "Certificate"),
      object("cert-manager.io/v1", "Certificate", "default", "cert", { spec: { secretName: "x" } }),
      object("security.example.com/v1", "Policy", undefined, "p"),
    ]),
  );

  test("version and discovery", async () => {
    expect((await get("/version")).json.gitVersion).toBe("v1.36.3");
    expect((await get("/api")).json.versions).toEqual(["v1"]);
    expect((await get("/apis")).json.groups.map((group: { name: string }) => group.name)).toContain("cert-manager.io");
    expect((await get("/apis/cert-manager.io")).json.preferredVersion.version).toBe("v1");
    expect((await get("/apis/cert-manager.io/v1")).json.resources.map((one: { name: string }) => one.name)).toEqual(["certificates"]);
    expect((await get("/api/v1")).json.resources.map((one: { name: string }) => one.name)).toContain("pods/log");
    expect((await get("/apis/nothing.io/v1")).code).toBe(404);
  });

  test("one object, as a whole", async () => {
    expect((await get("/api/v1/namespaces/cert-manager/pods/a")).json).toMatchObject({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } });
    expect((await get("/apis/security.example.com/v1/policies/p")).json.kind).toBe("Policy");
  });

  test("an absent object", async () => {
    const { code, json } = await get("/api/v1/namespaces/cert-manager/pods/none");
    expect(code).toBe(404);
    expect(json).toMatchObject({ kind: "Status", reason: "NotFound", message: 'pods "none" not found', code: 404 });
    expect((await get("/apis/apps/v1/namespaces/x/deployments/d")).json.message).toBe('deployments.apps "d" not found');
  });

  test("a group that isn't served", async () => {
    const { code, text } = await get("/apis/acme.cert-manager.io/v1/orders");
    expect([code, text]).toEqual([404, "404 page not found\n"]);
    expect((await get("/apis/cert-manager.io/v1/issuers")).code).toBe(404);
  });

  test("lists in the API's order and form", async () => {
    const { json } = await get("/api/v1/pods");
    expect(json.kind).toBe("PodList");
    expect(names(json)).toEqual(["a", "b", "c"]);
    expect(json.items[0].kind).toBeUndefined();
    expect(names((await get("/api/v1/namespaces/default/pods")).json)).toEqual(["c"]);
    expect((await get("/apis/cert-manager.io/v1/certificates")).json.items[0].kind).toBe("Certificate");
    expect((await get("/apis/apps/v1/deployments")).json.items).toEqual([]);
  });

  test.each([
    ["app=webhook", ["b"]],
    ["app==webhook,tier", ["b"]],
    ["app!=webhook", ["a", "c"]],
    ["app in (webhook, cainjector)", ["a", "b"]],
    ["app notin (webhook,cainjector)", ["c"]],
    ["tier", ["b"]],
    ["!tier", ["a", "c"]],
    ["tier!=x", ["a", "c"]],
    ["app in (webhook),tier=x", ["b"]],
  ])("label selector %s", async (selector, expected) => {
    expect(names((await get(`/api/v1/pods?labelSelector=${encodeURIComponent(selector)}`)).json)).toEqual(expected);
  });

  test.each([
    ["events", "type=Warning", ["e1"]],
    ["events", "type!=Normal,involvedObject.kind==Pod", ["e1"]],
    ["events", "reason=Pulled,involvedObject.name=b", ["e2"]],
    ["secrets", "type=helm.sh/release.v1", ["s"]],
    ["pods", "metadata.name=a,metadata.namespace=cert-manager", ["a"]],
  ])("field selector on %s: %s", async (plural, selector, expected) => {
    expect(names((await get(`/api/v1/${plural}?fieldSelector=${encodeURIComponent(selector)}`)).json)).toEqual(expected);
  });

  test("selectors that a real server refuses", async () => {
    expect((await get("/api/v1/pods?fieldSelector=spec.secret%3Dx")).json).toMatchObject({
      code: 400,
      message: "field label not supported: spec.secret",
    });
    expect((await get("/api/v1/pods?labelSelector=a%20b")).code).toBe(400);
  });

  test("pages", async () => {
    const first = (await get("/api/v1/pods?limit=2")).json;
    expect(names(first)).toEqual(["a", "b"]);
    expect(first.metadata.remainingItemCount).toBe(1);
    const second = (await get(`/api/v1/pods?limit=2&continue=${first.metadata.continue}`)).json;
    expect(names(second)).toEqual(["c"]);
    expect(second.metadata.continue).toBeUndefined();
    expect((await get("/api/v1/pods?limit=1&labelSelector=app")).json.metadata.remainingItemCount).toBeUndefined();
    expect((await get("/api/v1/pods?limit=1&continue=x")).code).toBe(400);
  });

  test("metadata only", async () => {
    const list = await get("/apis/cert-manager.io/v1/certificates", { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" });
    expect(list.json.kind).toBe("PartialObjectMetadataList");
    expect(list.json.items).toEqual([{ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "cert", namespace: "default" } }]);
    const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    const one = await get("/apis/cert-manager.io/v1/namespaces/default/certificates/cert", { accept });
    expect(one.json).toEqual(list.json.items[0]);
  });

  test("what was asked is recorded", () => {
    expect(server.requests(id)[0]).toBe("GET /version");
    expect(server.requests(id)).toContain("GET /api/v1/pods?limit=2");
  });
});

test("CRDs decide what of cert-manager is served", async () => {
  const established = (status: string) => ({ status: { conditions: [{ type: "Established", status }] } });
  const { get } = serve(snapshotOf([crd("issuers", "Issuer", established("False")), crd("certificates", "Certificate", established("True"))]));
  expect((await get("/apis/cert-manager.io/v1/issuers")).code).toBe(404);
  expect((await get("/apis/cert-manager.io/v1/certificates")).code).toBe(200);
  expect((await get("/apis/cert-manager.io/v1alpha2/certificates")).code).toBe(404);
});

describe("not collected", () => {
  const collected = { resources: new Set(["pods", "certificates"]), namespaces: new Set(["cert-manager"]) };
  const { get, post } = serve(snapshotOf([pod("a", {}), object("cert-manager.io/v1", "Issuer", "cert-manager", "i")], { version: null, collected }));
  test.each([
    "/apis/apps/v1/deployments",
    "/api/v1/namespaces/cert-manager/secrets/x",
    "/api/v1/namespaces/other/pods",
    "/api/v1/namespaces/other/pods/x",
    "/api/v1/pods?labelSelector=none",
    "/apis/cert-manager.io/v1/certificates",
    "/api/v1/namespaces/cert-manager/pods/a/log",
    "/version",
  ])("%s is answered 501", async (path) => {
    expect((await get(path)).json).toMatchObject({ code: 501, reason: "NotCollected" });
  });
  test("and neither probe nor access reviews", async () => {
    const sent = await post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec: {} });
    expect(sent.code).toBe(501);
    expect((await post("/apis/cert-manager.io/v1/namespaces/x/certificaterequests?dryRun=All", {})).code).toBe(501);
  });
  test("but what was collected is known", async () => {
    expect((await get("/api/v1/namespaces/cert-manager/pods/none")).code).toBe(404);
    expect(names((await get("/api/v1/pods")).json)).toEqual(["a"]);
  });
});

test("counts stand for objects that the snapshot doesn't hold", async () => {
  const answers: Answers = { counts: { "certificates.cert-manager.io": 14, "issuers.cert-manager.io": 0 } };
  const { get } = serve(snapshotOf([crd("certificates", "Certificate"), crd("issuers", "Issuer")], { answers }));
  const { metadata, items } = (await get("/apis/cert-manager.io/v1/certificates?limit=1")).json;
  expect(items.length + metadata.remainingItemCount).toBe(14);
  expect((await get("/apis/cert-manager.io/v1/issuers?limit=1")).json.metadata.remainingItemCount).toBeUndefined();
  expect((await get("/apis/cert-manager.io/v1/certificates")).code).toBe(501);
  expect((await get("/apis/cert-manager.io/v1/namespaces/x/certificates/y")).code).toBe(501);
});

describe("logs", () => {
  const withStatus = (name: string, status: object) => pod(name, {}, { status: { containerStatuses: [{ name: "main", ...status }] } });
  const two = pod("two", {}, { spec: { containers: [{ name: "main" }, { name: "side" }] } });
  const { get } = serve(
    snapshotOf(
      [
        withStatus("a", { state: { running: {} } }),
        withStatus("waits", { state: { waiting: { reason: "ImagePullBackOff" } } }),
        withStatus("crashed", { state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }),
        two,
      ],
      { logs: new Map([["cert-manager/a/main", "one\ntwo\nthree\n"]]) },
    ),
  );
  const log = (of: string) => get(`/api/v1/namespaces/cert-manager/pods/${of}`);

  test("the last lines", async () => {
    expect((await log("a/log?container=main&tailLines=2")).text).toBe("two\nthree\n");
    expect((await log("a/log")).text).toBe("one\ntwo\nthree\n");
    expect((await log("a/log?tailLines=0")).text).toBe("");
  });
  test.each([
    ["a/log?container=main&previous=true", 400, 'previous terminated container "main" in pod "a" not found'],
    ["a/log?container=x", 400, "container x is not valid for pod a"],
    ["waits/log?container=main", 400, 'container "main" in pod "waits" is waiting to start: trying and failing to pull image'],
    ["two/log", 400, "a container name must be specified for pod two, choose one of: [main side]"],
    ["none/log", 404, 'pods "none" not found'],
    ["crashed/log?container=main&previous=true", 501, "this snapshot holds no previous log of container main in pod crashed"],
    ["crashed/log?container=main", 501, "this snapshot holds no log of container main in pod crashed"],
  ])("%s is answered %i", async (path, code, message) => {
    expect((await log(path)).json).toMatchObject({ code, message });
  });
});

describe("creating", () => {
  const requests = [crd("certificaterequests", "CertificateRequest")];
  const probe = {
    valid: { accepted: true, username: "kubernetes-admin" },
    invalid: { code: 406, reason: "NotAcceptable", message: "denied" },
  } as const;
  const { post, url } = serve(snapshotOf(requests, { answers: { probe, access: [{ verb: "create", resource: "secrets", allowed: false }] } }));
  const collection = "/apis/cert-manager.io/v1/namespaces/cert-manager/certificaterequests";
  const valid = btoa("-----BEGIN CERTIFICATE REQUEST-----\nx\n-----END CERTIFICATE REQUEST-----\n");

  test("a dry run is answered as recorded", async () => {
    const body = { metadata: { generateName: "probe-" }, spec: { request: valid, issuerRef: { name: "x" } } };
    const accepted = await post(`${collection}?dryRun=All`, body);
    expect(accepted.code).toBe(201);
    expect(accepted.json).toMatchObject({ metadata: { namespace: "cert-manager" }, spec: { request: valid, username: "kubernetes-admin" } });
    const refused = await post(`${collection}?dryRun=All`, { spec: { request: btoa("nonsense") } });
    expect(refused.json).toMatchObject({ code: 406, reason: "NotAcceptable", message: "denied" });
  });
  test("access reviews", async () => {
    const ask = async (verb: string, resource: string) =>
      (await post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec: { resourceAttributes: { verb, resource } } })).json.status.allowed;
    expect(await ask("create", "secrets")).toBe(false);
    expect(await ask("get", "secrets")).toBe(true);
  });
  test("whatever would write is refused", async () => {
    expect((await post(collection, {})).json).toMatchObject({ kind: "Status", code: 405, reason: "MethodNotAllowed" });
    expect((await post("/api/v1/namespaces/x/pods?dryRun=All", {})).code).toBe(405);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      expect((await fetch(`${url}/api/v1/namespaces/x/pods/y`, { method })).status).toBe(405);
      expect((await fetch(`${url}/version`, { method })).status).toBe(405);
    }
  });
  test("without the CRD there is nothing to create", async () => {
    const without = serve(snapshotOf([], { answers: { probe } }));
    const response = await fetch(`${without.url}${collection}?dryRun=All`, { method: "POST", body: "{}" });
    expect([response.status, await response.text()]).toEqual([404, "404 page not found\n"]);
  });
  test("a webhook that isn't there fills in no name, and answers take their time", async () => {
    const slow = serve(snapshotOf(requests, { answers: { probe: { valid: { accepted: true, username: "", delayMs: 60 } } } }));
    const start = performance.now();
    const { json } = await slow.post(`${collection}?dryRun=All`, { spec: { request: valid } });
    expect(json.spec).not.toHaveProperty("username");
    expect(performance.now() - start).toBeGreaterThan(50);
  });
});

test("refused requests", async () => {
  const refused = [
    { verb: "list", resource: "pods", namespace: "x", code: 403 },
    { resource: "pods/log", code: 403 },
    { resource: "secrets", name: "ca", code: 403, message: "no" },
    { resource: "nodes", code: 429 },
  ];
  const { get } = serve(snapshotOf([pod("a", {})], { answers: { refused } }));
  expect((await get("/api/v1/namespaces/x/pods")).json).toMatchObject({
    code: 403,
    reason: "Forbidden",
    message: 'pods is forbidden: User "snapshot" cannot list resource "pods" in API group "" in the namespace "x"',
  });
  expect((await get("/api/v1/namespaces/cert-manager/pods/a/log")).json.message).toBe(
    'pods "a" is forbidden: User "snapshot" cannot get resource "pods/log" in API group "" in the namespace "cert-manager"',
  );
  expect((await get("/api/v1/namespaces/x/secrets/ca")).json.message).toBe("no");
  expect((await get("/api/v1/namespaces/x/secrets/other")).code).toBe(404);
  expect((await get("/api/v1/nodes")).headers.get("retry-after")).toBe("1");
  expect((await get("/api/v1/pods")).code).toBe(200);
});
