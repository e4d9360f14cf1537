import { afterAll, beforeAll, expect, test } from "vitest";
import { checkup } from "./checkup.ts";
import type { Verdict } from "./model/report.ts";
import { type Checkup, reportOf } from "./report/report.ts";
import { type DemoCluster, demoClusters } from "./snapshot/demo-clusters.ts";
import { type SnapshotServer, startSnapshotServer } from "./snapshot/server.ts";
import { openSnapshotTarget } from "./target.ts";

let server: SnapshotServer;
let demos: readonly DemoCluster[];

beforeAll(async () => {
  server = await startSnapshotServer();
  demos = await demoClusters(process.cwd());
});
afterAll(() => server.close());

async function checkupOf(name: string, onProgress?: (soFar: Checkup) => void): Promise<Checkup> {
  const demo = demos.find((one) => one.name === name) as DemoCluster;
  const target = await openSnapshotTarget(demo.snapshot, server);
  try {
    return await checkup(target.cluster, target.input, onProgress);
  } finally {
    await target.close();
  }
}

const expected: readonly [string, Verdict, Record<string, readonly string[]>][] = [
  ["healthy", "healthy", {}],
  ["just-installed", "settling", {}],
  [
    "ca-not-injected",
    "broken",
    {
      "cainjector-leader-election-forbidden": [
        "cainjector-leader-waiting",
        "controller-leader-election-lost",
        "ca-bundle-empty",
        "webhook-log-tls-errors",
        "api-probe-failing",
      ],
    },
  ],
  ["leftover-crds", "broken", { "crds-only-leftover": ["helm-ownership-other-release"] }],
  [
    "air-gapped-images",
    "broken",
    {
      "image-pull-dns": [
        "ca-secret-missing",
        "cainjector-not-running",
        "webhook-no-endpoints",
        "ca-bundle-empty",
        "api-probe-failing",
        "webhook-connection-refused",
      ],
    },
  ],
  ["webhook-unreachable", "broken", { "webhook-io-timeout": ["api-probe-failing"] }],
];

test.each(expected)("the demo cluster %s is %s, for one reason", async (name, verdict, roots) => {
  const report = reportOf(await checkupOf(name), "en");
  expect(report.verdict).toBe(verdict);
  expect(Object.fromEntries(report.rootCauses.map((root) => [root.check, [...root.explains].sort()]))).toEqual(
    Object.fromEntries(Object.entries(roots).map(([check, explains]) => [check, [...explains].sort()])),
  );
  expect(report.gathering.requests).toBeLessThanOrEqual(45);
  expect(report.gathering.missing).toEqual([]);
  for (const error of report.reportedErrors) expect(error.explained, error.text).toBe(true);
});

test("the report has the form that other programs read", async () => {
  const report = reportOf(await checkupOf("ca-not-injected"), "en");
  expect(report).toMatchObject({
    schemaVersion: 1,
    final: true,
    cluster: { name: "ca-not-injected" },
    now: "2026-12-01T01:19:30.000Z",
    installs: [{ namespace: "cert-manager", release: "cert-manager", method: "helm", version: "v1.21.1" }],
  });
  const root = report.checks.find((check) => check.id === "cainjector-leader-election-forbidden");
  expect(root).toMatchObject({
    area: "cainjector",
    severity: "blocker",
    status: "fail",
    because: expect.stringMatching(/./),
    ruledOut: [{ check: "cainjector-not-running", because: expect.stringMatching(/./) }],
    problems: [
      {
        key: "managed",
        severity: "blocker",
        subject: { kind: "Deployment", namespace: "cert-manager", name: "cert-manager-cainjector" },
        text: expect.stringMatching(/kube-system/),
      },
    ],
  });
  for (const fix of root?.problems[0]?.fix ?? []) {
    expect(Object.keys(fix).sort()).toEqual(["changes", "command", "effect", "for", "instead", "title", "undo"]);
    expect(["helm", "values", "kubectl", "gitops", "olm"]).toContain(fix.for);
  }
});

test("everything else is shown while the API probe still waits for a webhook's time-out", async () => {
  const seen: Checkup[] = [];
  const whole = await checkupOf("webhook-unreachable", (soFar) => seen.push(soFar));
  const early = seen.findLast((soFar) => soFar.facts.apiProbe.state === "pending") as Checkup;
  const report = reportOf(early, "en");
  expect(report.final).toBe(false);
  expect(report.verdict).toBe("unknown");
  expect(report.checks.find((check) => check.id === "api-probe-failing")?.status).toBe("pending");
  expect(report.checks.find((check) => check.id === "ca-bundle-empty")?.status).toBe("pass");
  expect(early.durationMs).toBeLessThan(whole.durationMs);
});

test("what a Report says is bound to the facts: no key of a Secret, no release payload", async () => {
  for (const { name } of demos) {
    const { facts } = await checkupOf(name);
    expect(JSON.stringify(facts), name).not.toMatch(/PRIVATE KEY|tls\.key|dockerconfigjson|"data":/);
  }
});
