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
