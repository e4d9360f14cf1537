import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { pod, serve, snapshotOf } from "../snapshot/test-cluster.ts";
import { openSnapshotCluster } from "./open-snapshot.ts";

test("a container that has no log is no failure", async () => {
  const waiting = { containerStatuses: [{ name: "main", state: { waiting: { reason: "ImagePullBackOff" } } }] };
  const { url } = serve(
    snapshotOf([pod("unscheduled", {}, { status: { phase: "Pending" } }), pod("waits", {}, { status: waiting }), pod("runs", {})], {
      logs: new Map([["cert-manager/runs/main", "up\n"]]),
    }),
  );
  const cluster = openSnapshotCluster("test", url);
  const log = (name: string, previous = false) => cluster.log({ namespace: "cert-manager", pod: name, container: "main", previous, tailLines: 10 });
  expect(await log("unscheduled")).toBeNull();
  expect(await log("waits")).toBeNull();
  expect(await log("waits", true)).toBeNull();
  expect(await log("none")).toBeNull();
  expect(await log("runs")).toBe("up\n");
  await expect(log("runs", true)).rejects.toThrow("this snapshot holds no previous log");
  await cluster.close();
});

test("the clock is the API server's where this machine's differs, and its own within the second that an answer names", async () => {
  let ahead = 0;
  const server = createServer((_, answer) => {
    answer.setHeader("date", new Date(Date.now() + ahead).toUTCString());
    answer.end('{"gitVersion":"v1.36.3"}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cluster = openSnapshotCluster("test", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const offset = async () => {
    await cluster.version();
    return cluster.now().getTime() - Date.now();
  };
  expect(Math.abs(await offset())).toBeLessThan(100);
  ahead = 600_000;
  expect(Math.abs((await offset()) - 600_000)).toBeLessThan(3_000);
  ahead = 0;
  expect(Math.abs(await offset())).toBeLessThan(100);
  await cluster.close();
  server.close();
});
