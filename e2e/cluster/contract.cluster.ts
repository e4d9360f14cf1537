import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkup } from "../../lib/checkup.ts";
import { reportOf } from "../../lib/report/report.ts";
import { contract } from "../../lib/snapshot/contract/contract.ts";
import { dryRuns } from "../../lib/snapshot/contract/creating.ts";
import { type Answered, type Exchange, expected, seen } from "../../lib/snapshot/contract/exchange.ts";
import { forbidden, forbiddenAnswers, unauthorized, unauthorizedAnswers } from "../../lib/snapshot/contract/forbidden.ts";
import { contractObjects } from "../../lib/snapshot/contract/objects.ts";
import { openSnapshot } from "../../lib/snapshot/open.ts";
import { type SnapshotServer, startSnapshotServer } from "../../lib/snapshot/server.ts";
import type { Snapshot } from "../../lib/snapshot/snapshot.ts";
import { openSnapshotTarget } from "../../lib/target.ts";
import { type ApiClient, openApi, send } from "./api-client.ts";
import { noWindows, type TestCluster } from "./cluster.ts";
import { comparable } from "./comparable.ts";
import { kubeconfig } from "./control-plane/kubeconfig.ts";
import { recordSnapshot, writeSnapshot } from "./recording/record.ts";
import { expect, test } from "./test.ts";

let server: SnapshotServer;
test.beforeAll(async () => {
  server = await startSnapshotServer();
});
test.afterAll(() => server.close());

test("the embedded API server answers as the real one", async ({ cluster }) => {
  await cluster.reset("healthy");
  await prepare(cluster);
  const snapshot = await recorded(cluster);
  const webhookPod = snapshot.objects.find(({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith("cert-manager-webhook"))?.metadata.name ?? "";
  const url = server.mount("contract", snapshot);
  await asked(cluster.plane.kubeconfig, async (api) => {
    for (const [part, exchanges] of Object.entries(contract(webhookPod))) await test.step(part, () => compare(exchanges, api, url));
  });

  const user = "system:serviceaccount:certmedic:certmedic";
  const withoutRights = server.mount("forbidden", { ...snapshot, answers: { ...snapshot.answers, ...forbiddenAnswers } });
  await asked(join(cluster.plane.folder, "least-privilege.kubeconfig"), (api) => compare(forbidden(user), api, withoutRights, user));

  const stranger = join(cluster.plane.folder, "stranger.kubeconfig");
  writeFileSync(stranger, kubeconfig(cluster.plane.server, cluster.plane.ca, "no-such-token"));
  const closed = server.mount("unauthorized", { ...snapshot, answers: unauthorizedAnswers });
  await asked(stranger, (api) => compare([unauthorized], api, closed));
});

test("it repeats what the API server said while the webhook was down", async ({ cluster }) => {
  await cluster.reset("healthy");
  await prepare(cluster);
  await cluster.stop("webhook");
  const url = server.mount("webhook-stopped", await recorded(cluster));
  const [create] = dryRuns as [Exchange];
  await asked(cluster.plane.kubeconfig, async (api) => {
    const [real, embedded] = comparable(await api.ask(create), await send(url, create));
    expect(real).toMatchObject({ status: 500, body: { reason: "InternalError", message: expect.stringContaining("failed calling webhook") } });
    expect(embedded).toEqual(real);
  });
});

for (const stopped of [false, true]) {
  test(`a recording ${stopped ? "of a broken cluster " : ""}leads to the report that the cluster leads to, and holds no secrets`, async ({ cluster }) => {
    await cluster.reset("healthy");
    if (stopped) await cluster.stop("webhook");
    const snapshot = await recorded(cluster);
    const target = await openSnapshotTarget(snapshot, server);
    try {
      const report = reportOf(await checkup(target.cluster, { ...target.input, windows: noWindows }), "en");
      const live = await cluster.report({ as: "admin" });
      const verdictOf = ({ verdict, checks }: typeof report) => ({ verdict, checks: Object.fromEntries(checks.map(({ id, status }) => [id, status])) });
      expect(verdictOf(report)).toEqual(verdictOf(live));
    } finally {
      await target.close();
    }
    const secrets = snapshot.objects.filter(({ kind }) => kind === "Secret");
    expect(secrets.map(({ metadata, data }) => [metadata.name, Object.keys(data as object)])).toEqual([
      ["cert-manager-webhook-ca", ["ca.crt", "tls.crt"]],
      [expect.stringMatching(/^sh\.helm\.release\.v1\.cert-manager\./), []],
    ]);
    expect(JSON.stringify([snapshot.objects, [...snapshot.logs]])).not.toMatch(/PRIVATE KEY|"ey[\w-]{20,}\.|last-applied-configuration/);
  });
}

/** The fixed objects, until the cluster has said all about them. */
async function prepare(cluster: TestCluster): Promise<void> {
  await cluster.apply(...contractObjects.map(({ status: _, ...object }) => object));
  await cluster.run("kubectl -n contract wait issuers --all --for condition=Ready --timeout 30s");
  await cluster.run("kubectl -n contract wait pod/two --for condition=Ready --timeout 30s");
  await cluster.run("kubectl -n contract wait pod/unscheduled --for condition=PodScheduled=False --timeout 30s");
}

/** As somebody else would open it. */
async function recorded(cluster: TestCluster): Promise<Snapshot> {
  const folder = join(cluster.plane.folder, "recorded");
  await writeSnapshot(await recordSnapshot(cluster.plane.kubeconfig), folder);
  return openSnapshot(folder);
}

async function asked<T>(path: string, ask: (api: ApiClient) => Promise<T>): Promise<T> {
  const api = await openApi(path);
  try {
    return await ask(api);
  } finally {
    await api.close();
  }
}

/** Asks both; every difference is told. `user` is who asks the real one, which calls everybody by name. */
async function compare(exchanges: readonly Exchange[], api: ApiClient, url: string, user?: string): Promise<void> {
  let last: readonly Answered[] = [];
  for (const exchange of exchanges) {
    const askedFor = `${exchange.method} ${decodeURIComponent(exchange.path)} ${exchange.accept ?? ""}`;
    const page = (of: Answered | undefined): Exchange => (exchange.nextPage ? { ...exchange, path: `${exchange.path}&continue=${tokenIn(of)}` } : exchange);
    const real = await api.ask(page(last[0]));
    const embedded = await send(url, page(last[1]));
    last = [real, embedded];
    expect.soft(seen(exchange, real), `real: ${askedFor}`).toEqual(expected(exchange));
    const [wanted, given] = comparable(real, user ? { ...embedded, text: embedded.text.replaceAll('\\"snapshot\\"', `\\"${user}\\"`) } : embedded);
    expect.soft(given, `embedded: ${askedFor}`).toEqual(wanted);
  }
}

function tokenIn(answer: Answered | undefined): string {
  return (JSON.parse(answer?.text ?? "{}") as { metadata: { continue: string } }).metadata.continue;
}
