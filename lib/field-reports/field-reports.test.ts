import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import { checkupOfCase } from "../tools/fixture-checkup.ts";
import { type FieldReport, fieldReports } from "./field-report.ts";
import { missedEntry, missedRoot, stillToCome } from "./misses.ts";

let server: SnapshotServer;

beforeAll(async () => {
  server = await startSnapshotServer();
});
afterAll(() => server.close());

/** Entries of the catalogue that have no check yet; what awaits one is asserted as soon as it is there. */
const toCome: readonly string[] = ["helm-ssa-conflict"];

test("reports await nothing but what is to come", () => {
  const named = fieldReports().flatMap(([, { said = [], expect }]) => [...said.flatMap(({ check }) => check ?? []), ...(expect?.roots ?? [])]);
  expect(toCome).toEqual(expect.arrayContaining([...stillToCome(named)]));
});

describe.each(fieldReports())("%s", (name, report) => {
  test("says what happened and where it was told, and has something to hold the product to", () => {
    expect(report.report).toMatch(/\.$/);
    expect(report.kind).not.toBe("");
    expect(report.source.length).toBeGreaterThan(0);
    for (const url of report.source) expect(url).toMatch(/^https:\/\//);
    expect(report.said ?? report.expect).toBeDefined();
  });

  test("the words are explained and the cluster is judged", async () => {
    const misses = [...wordsMissed(report), ...(await stateMissed(name, report))];
    if (report.missed) expect(misses, `isn't missed any more: ${report.missed}`).not.toEqual([]);
    else expect(misses).toEqual([]);
  });
});

function wordsMissed({ said = [] }: FieldReport): readonly string[] {
  return said.filter(({ check }) => stillToCome(check ? [check] : []).length === 0).flatMap((one) => missedEntry(one) ?? []);
}

async function stateMissed(name: string, report: FieldReport): Promise<readonly string[]> {
  if (!report.expect || stillToCome(report.expect.roots).length > 0) return [];
  const { diagnosis } = await checkupOfCase(server, name, report);
  return [missedRoot(diagnosis, report.expect) ?? []].flat();
}
