import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkup } from "../checkup.ts";
import { openSnapshotCluster } from "../cluster/open-snapshot.ts";
import type { FactKey } from "../model/facts.ts";
import type { Checkup } from "../report/report.ts";
import { type DemoCluster, demoClusters } from "../snapshot/demo-clusters.ts";
import type { Fault } from "../snapshot/fault.ts";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import { withoutDelays } from "../tools/without-delays.ts";

/** Every way in which one request can fail (security.md 8). `hang` ends as a time-out. */
const faults: readonly Fault[] = [
  { kind: "status", code: 401 },
  { kind: "status", code: 403 },
  { kind: "status", code: 404 },
  { kind: "status", code: 429 },
  { kind: "status", code: 500 },
  { kind: "cut-off" },
  { kind: "garbage" },
  { kind: "hang" },
];

/** Production's time limits in short where one is waited for: a second where it waits ten. */
const patience = 0.1;
/** More would make the machine itself the cause of time-outs. */
const atOnce = 8;

let server: SnapshotServer;
let demos: readonly DemoCluster[];

beforeAll(async () => {
  server = await startSnapshotServer();
  demos = await demoClusters(process.cwd());
});
afterAll(() => server.close());

describe.each(["healthy", "just-installed", "ca-not-injected", "leftover-crds", "air-gapped-images", "webhook-unreachable"])("%s", (name) => {
  test("no single failing request crashes a checkup or turns something green", { timeout: 300_000 }, async () => {
    const whole = await look(name, undefined);
    const lines = new Set(server.requests(name));
    const cases = [...lines].flatMap((line) => faults.map((fault) => ({ line, fault })));
    const queue = [...cases.entries()];
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, one] = next;
        expectHonest(whole, await look(`${name}-${index}`, one, name), one);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  });
});

interface Case {
  readonly line: string;
  readonly fault: Fault;
}

async function look(mount: string, wrong: Case | undefined, name = mount): Promise<Checkup> {
  const demo = demos.find((one) => one.name === name) as DemoCluster;
  const snapshot = withoutDelays(demo.snapshot);
  const fault = (line: string) => (wrong && isSame(line, wrong.line) ? wrong.fault : undefined);
  const cluster = openSnapshotCluster(mount, server.mount(mount, snapshot, { fault }), wrong?.fault.kind === "hang" ? patience : 1);
  try {
    return await checkup(cluster, { reportedErrors: snapshot.reportedErrors, readSecrets: true, now: () => snapshot.now });
  } finally {
    await cluster.close();
  }
}

/** What is refused in one namespace is asked in the next: it fails in all of them. */
function isSame(line: string, other: string): boolean {
  const anywhere = (one: string): string => (one.startsWith("POST") ? one.replace(/namespaces\/[^/]+/, "") : one);
  return anywhere(line) === anywhere(other);
}

function expectHonest(whole: Checkup, faulty: Checkup, { line, fault }: Case): void {
  const what = `${line} → ${JSON.stringify(fault)}`;
  const missing = (Object.keys(faulty.facts) as FactKey[]).filter((key) => faulty.facts[key].state === "missing");
  const isAnswer = saysSomething(line, fault);
  if (!isAnswer) {
    expect(missing, `${what}: something is missing`).not.toHaveLength(0);
    for (const key of missing) expect(faulty.facts[key], `${what}: ${key} says why`).toMatchObject({ detail: expect.stringMatching(/\S/) });
  }
  for (const result of faulty.diagnosis.results) {
    const { id, needs } = result.check;
    expect(
      result.because.some((because) => because.from === "thrown"),
      `${what}: ${id} doesn't throw`,
    ).toBe(false);
    if (needs.some((key) => missing.includes(key))) expect(result.status, `${what}: ${id} needs what is missing`).toBe("unknown");
    const before = whole.diagnosis.results.find((one) => one.check.id === id);
    if (before?.status === "fail" && !isAnswer) expect(result.status, `${what}: ${id} failed before`).toMatch(/^(?:fail|unknown)$/);
  }
  if (whole.diagnosis.verdict !== "healthy" && !isAnswer) expect(faulty.diagnosis.verdict, what).not.toBe("healthy");
}

/** Faults that are answers: a 404 on a name or a kind says that it isn't there, and a log may hold any text. */
function saysSomething(line: string, fault: Fault): boolean {
  if (/\/log\?/.test(line)) return fault.kind === "garbage" || (fault.kind === "status" && fault.code === 404);
  const isList = line.startsWith("GET") && line.includes("limit=");
  // A network plugin or operator that isn't installed has no kinds of its own.
  const isOptional = /\/apis\/(?:cilium\.io|crd\.projectcalico\.org|operators\.coreos\.com)\//.test(line);
  return fault.kind === "status" && fault.code === 404 && (!isList || isOptional) && !line.endsWith("/version");
}
