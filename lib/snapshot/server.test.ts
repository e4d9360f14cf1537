import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import type { Fault } from "./fault.ts";
import { startSnapshotServer } from "./server.ts";
import { names, pod, serve, server, snapshotOf } from "./test-cluster.ts";

describe("faults", () => {
  const faulty = (fault: Fault) => serve(snapshotOf([pod("a", {})]), (line) => (line === "GET /api/v1/pods" ? fault : undefined));

  test.each([401, 403, 404, 429, 500, 503] as const)("status %i", async (code) => {
    const { get } = faulty({ kind: "status", code });
    expect((await get("/api/v1/pods")).json).toMatchObject({ kind: "Status", status: "Failure", code });
    expect((await get("/api/v1/nodes")).code).toBe(200);
  });
  test("delay", async () => {
    const start = performance.now();
    expect((await faulty({ kind: "delay", ms: 60 }).get("/api/v1/pods")).code).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(50);
  });
  test("cut off", async () => {
    await expect(faulty({ kind: "cut-off" }).get("/api/v1/pods")).rejects.toThrow();
  });
  test("garbage", async () => {
    const { code, text } = await faulty({ kind: "garbage" }).get("/api/v1/pods");
    expect(code).toBe(200);
    expect(() => JSON.parse(text)).toThrow();
  });
  test("hang", async () => {
    const { url } = faulty({ kind: "hang" });
    await expect(fetch(`${url}/api/v1/pods`, { signal: AbortSignal.timeout(80) })).rejects.toThrow(/timeout/);
  });
});

test("mounts are apart, can be replaced, and end", async () => {
  const { id, url } = serve(snapshotOf([pod("a", {})]));
  expect(server.mount(id, snapshotOf([pod("b", {})]))).toBe(url);
  expect(names((await (await fetch(`${url}/api/v1/pods`)).json()) as never)).toEqual(["b"]);
  server.unmount(id);
  expect((await fetch(`${url}/api/v1/pods`)).status).toBe(404);
  expect(server.requests(id)).toEqual([]);
});

test("pages of the internet can't read a snapshot under their own name", async () => {
  const { url } = serve(snapshotOf([]));
  const code = await new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/version`, { headers: { host: "evil.example.com" } }, (response) => resolve(response.resume().statusCode));
    sent.on("error", reject).end();
  });
  expect(code).toBe(403);
});

test("closing ends requests that hang", async () => {
  const own = await startSnapshotServer();
  const url = own.mount("x", snapshotOf([]), { fault: () => ({ kind: "hang" }) });
  const hanging = expect(fetch(`${url}/version`)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await own.close();
  await hanging;
});
