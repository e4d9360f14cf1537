import { afterAll, beforeAll, expect, test } from "vitest";
import { openSnapshotCluster } from "../cluster/open-snapshot.ts";
import { loadDemo } from "../snapshot/demo-clusters.ts";
import type { Fault } from "../snapshot/fault.ts";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import { gather } from "./run.ts";

let server: SnapshotServer;

beforeAll(async () => {
  server = await startSnapshotServer();
});
afterAll(() => server.close());

async function gatherWith(fault: Fault) {
  const { snapshot } = await loadDemo(process.cwd(), "healthy");
  const cluster = openSnapshotCluster("all", server.mount("all", snapshot, { fault: () => fault }), 0.03);
  try {
    return await gather(cluster, { reportedErrors: [], readSecrets: true, now: () => snapshot.now });
  } finally {
    await cluster.close();
  }
}

test.each<[Fault, RegExp]>([
  [{ kind: "hang" }, /no answer in/],
  [{ kind: "status", code: 401 }, /doesn't accept the credentials/],
  [{ kind: "status", code: 500 }, /HTTP 500/],
  [{ kind: "garbage" }, /isn't JSON of an API server/],
])("where every request ends in %j there is no report, but the reason", async (fault, message) => {
  await expect(gatherWith(fault)).rejects.toThrow(message);
});

test("where nothing may be read, every fact says so", async () => {
  const facts = await gatherWith({ kind: "status", code: 403 });
  expect(facts.deployments).toMatchObject({ state: "missing", reason: "forbidden", rule: { resources: ["deployments"] } });
  expect(facts.webhooks).toMatchObject({ state: "missing", reason: "forbidden" });
});
