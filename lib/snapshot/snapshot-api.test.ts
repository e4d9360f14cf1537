import { describe, expect, test } from "vitest";
import type { Answers } from "./snapshot.ts";
import { crd, names, object, pod, serve, server, snapshotOf } from "./test-cluster.ts";

test("kinds that no CRD defines are served under the plural that they would have", async () => {
  const { get, id } = serve(snapshotOf([object("security.example.com/v1", "Policy", undefined, "p")]));
  expect((await get("/apis/security.example.com/v1/policies/p")).json.kind).toBe("Policy");
  expect(server.requests(id)).toEqual(["GET /apis/security.example.com/v1/policies/p"]);
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
  const { get } = serve(
    snapshotOf(
      [
        withStatus("a", { state: { running: {} } }),
        withStatus("waits", { state: { waiting: { reason: "ImagePullBackOff" } } }),
        withStatus("crashed", { state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }),
      ],
      { logs: new Map([["cert-manager/a/main", "one\ntwo\nthree\n"]]) },
    ),
  );
  const log = (of: string) => get(`/api/v1/namespaces/cert-manager/pods/${of}`);

  test("the last lines", async () => {
    expect((await log("a/log?container=main&tailLines=2")).text).toBe("two\nthree\n");
    expect((await log("a/log")).text).toBe("one\ntwo\nthree\n");
  });
  test.each([
    ["waits/log?container=main", 400, 'container "main" in pod "waits" is waiting to start: trying and failing to pull image'],
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
  const certificateRequest = (request: string) => ({
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { generateName: "probe-" },
    spec: { request },
  });
  const valid = btoa("-----BEGIN CERTIFICATE REQUEST-----\nx\n-----END CERTIFICATE REQUEST-----\n");

  test("a dry run is answered as recorded", async () => {
    const accepted = await post(`${collection}?dryRun=All`, certificateRequest(valid));
    expect(accepted.code).toBe(201);
    expect(accepted.json).toMatchObject({ metadata: { namespace: "cert-manager" }, spec: { request: valid, username: "kubernetes-admin" } });
    const refused = await post(`${collection}?dryRun=All`, certificateRequest(btoa("nonsense")));
    expect(refused.json).toMatchObject({ code: 406, reason: "NotAcceptable", message: "denied" });
  });
  test("what refuses a well-formed request refuses the other one too, with its cause", async () => {
    const refused = { code: 500, reason: "InternalError", message: "Internal error occurred: failed calling webhook" };
    const broken = serve(snapshotOf(requests, { answers: { probe: { valid: refused } } }));
    for (const request of [valid, btoa("nonsense")]) {
      const { json } = await broken.post(`${collection}?dryRun=All`, certificateRequest(request));
      expect(json).toMatchObject({ ...refused, details: { causes: [{ message: "failed calling webhook" }] } });
    }
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
    const { json } = await slow.post(`${collection}?dryRun=All`, certificateRequest(valid));
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
