import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkText } from "../i18n/check-texts.ts";
import { englishText } from "../i18n/message.ts";
import { type Check, defaultWindows, type Outcome } from "../model/check.ts";
import type { Fact, FactKey, Facts } from "../model/facts.ts";
import { refText } from "../model/object-ref.ts";
import type { Text } from "../model/text.ts";
import type { Checkup } from "../report/report.ts";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import { checkupOfCase } from "../tools/fixture-checkup.ts";
import { fixtureCases } from "./fixture.ts";
import { checks } from "./index.gen.ts";
import { runCheck } from "./run.ts";

const folder = "lib/checks";
const ids = checks.map((check) => check.id);
const judging = checks.filter((check) => check.run);
const notes = ["title", "headline", "why", "ignore"];
let server: SnapshotServer;

beforeAll(async () => {
  server = await startSnapshotServer();
});
afterAll(() => server.close());

test("every fixture belongs to a check named like its file, once", () => {
  const files = readdirSync(folder).flatMap((file) => (file.endsWith(".fixture.yaml") ? [file.replace(".fixture.yaml", "")] : []));
  expect(judging.map((check) => check.id).sort()).toEqual(files.sort());
});

test("causes exist and don't go round in a circle", () => {
  const causes = new Map(checks.map((check) => [check.id, check.causedBy]));
  const reaches = (id: string, seen: readonly string[]): void => {
    expect(seen, `${[...seen, id].join(" ← ")} is a circle`).not.toContain(id);
    for (const cause of causes.get(id) ?? []) {
      expect(ids, `${id} is caused by ${cause}`).toContain(cause);
      reaches(cause, [...seen, id]);
    }
  };
  for (const id of ids) reaches(id, []);
});

describe.each(checks.filter((check) => !check.run).map((check) => [check.id, check] as const))("%s", (_, check) => {
  test("is known by its error texts alone, so that it looks at nothing", () => {
    expect(check.patterns ?? []).not.toHaveLength(0);
    expect([...check.needs, ...check.uses]).toEqual([]);
    expect(Object.keys(check.strings).filter((key) => !notes.includes(key))).toEqual([]);
  });

  testTexts(check);
});

describe.each(judging.map((check) => [check.id, check] as const))("%s", (id, check) => {
  const cases = fixtureCases(folder, id);
  const touched = new Set<string>();
  const said = new Set<string>();

  test("has a failing case and a neighbour that doesn't fail", () => {
    expect(cases.some((one) => one.expect.status === "fail")).toBe(true);
    expect(cases.some((one) => one.expect.status === "pass" || one.expect.status === "not-applicable")).toBe(true);
  });

  test.each(cases.map((one) => [one.case, one] as const))("%s", async (_, one) => {
    const checkup = await checkupOfCase(server, id, one);
    const result = checkup.diagnosis.results.find((candidate) => candidate.check.id === id);
    const problems = (result?.problems ?? []).map((problem) => `${problem.key} ${refText(problem.subject)}`);
    expect({ status: result?.status, problems, because: result?.because }).toMatchObject({ status: one.expect.status, problems: one.expect.problems ?? [] });
    if (one.expect.severity) expect(result?.problems[0]?.severity).toBe(one.expect.severity);
    if (result?.status === "fail") {
      const roots = checkup.diagnosis.rootCauses.filter((root) => root.check === id || root.explains.includes(id)).map((root) => root.check);
      expect(roots).toContain(one.expect.root ?? id);
    }
    for (const key of [...textsSaid(check, checkup), result?.headline.key]) said.add(key ?? "");
    for (const key of factsTouched(check, checkup)) touched.add(key);
    for (const problem of result?.problems ?? []) expectUsableProblem(check, problem);
    expectUnknownWithoutItsNeeds(check, checkup);
  });

  test("touches exactly the facts that it declares, over all its cases", () => {
    expect([...touched].sort()).toEqual([...check.needs, ...check.uses].sort());
  });

  test("says each of its texts in some case", () => {
    const unused = Object.keys(check.strings).filter((key) => !notes.includes(key) && !said.has(key));
    expect(unused).toEqual([]);
  });

  testTexts(check);
});

function testTexts(check: Check): void {
  test("has a short title without a verb or a full stop, and a headline that says the consequence", () => {
    expect(englishText(check.strings.title).length).toBeLessThanOrEqual(60);
    expect(englishText(check.strings.title)).not.toMatch(/[.!]$/);
    expect(englishText(check.strings.headline)).toMatch(/^\*[^*]+\*[^*]*\.$|^[^*]*\*[^*]+\*\.?$/);
    for (const key of ["title", "headline", "why"]) expect(checkText(check, { key }, "en")).not.toMatch(/!/);
  });
}

type Problem = Extract<Outcome, { status: "fail" }>["problems"][number];

function expectUsableProblem(check: Check, problem: Problem): void {
  expect(problem.evidence, `${check.id} shows evidence`).not.toHaveLength(0);
  for (const step of problem.fix) {
    expect(step.command.trim(), `${check.id}: a step has a command`).not.toBe("");
    expect(step.command, `${check.id}: nothing to fill in by hand`).not.toMatch(/undefined|\bNaN\b|\[object/);
    if (step.effect !== "none") expect(step.changes, `${check.id}: "${step.title.key}" says what it changes`).toBeDefined();
  }
}

/** Runs the check on its own facts once more and notes which it reads. */
function factsTouched(check: Check, checkup: Checkup): ReadonlySet<string> {
  const touched = new Set<string>();
  if (!check.run || check.needs.some((key) => checkup.facts[key].state !== "known")) return touched;
  const given = Object.fromEntries([
    ...check.needs.map((key) => [key, (checkup.facts[key] as { value: unknown }).value] as const),
    ...check.uses.map((key) => [key, checkup.facts[key]] as const),
  ]);
  const noted = new Proxy(given, {
    get(target, key) {
      touched.add(String(key));
      return target[key as FactKey];
    },
  });
  check.run(noted as never, checkup.now, defaultWindows);
  return touched;
}

function textsSaid(check: Check, checkup: Checkup): readonly string[] {
  const result = checkup.diagnosis.results.find((candidate) => candidate.check === check);
  if (!result) return [];
  const texts: Text[] = [
    ...result.because.flatMap((because) => (because.from === "check" ? [because.text] : [])),
    ...result.ruledOut,
    ...result.problems,
    ...result.problems.flatMap((problem) =>
      problem.fix.flatMap((step) => [step.title, ...(step.changes ? [step.changes] : []), ...(step.undo ? [step.undo] : [])]),
    ),
  ];
  for (const text of texts) expect(checkText(check, text, "en"), `${check.id}.${text.key} is filled`).not.toMatch(/\{\w+\}|undefined/);
  return texts.map((text) => text.key);
}

function expectUnknownWithoutItsNeeds(check: Check, checkup: Checkup): void {
  const missing: Fact<never> = { state: "missing", reason: "forbidden", detail: "test" };
  for (const key of check.needs) {
    const facts: Facts = { ...checkup.facts, [key]: missing };
    expect(runCheck(check, facts, checkup.now, defaultWindows).status, `${check.id} without ${key}`).toBe("unknown");
  }
  // What it only uses may be missing: it must still judge, and never turn a failure into a pass.
  const before = runCheck(check, checkup.facts, checkup.now, defaultWindows).status;
  const facts: Facts = { ...checkup.facts, ...Object.fromEntries(check.uses.map((key) => [key, missing])) };
  const after = runCheck(check, facts, checkup.now, defaultWindows);
  expect(
    after.because.some((because) => because.from === "thrown"),
    `${check.id} copes without ${check.uses.join(", ")}`,
  ).toBe(false);
  if (before === "fail") expect(after.status, `${check.id} doesn't pass for want of ${check.uses.join(", ")}`).not.toBe("pass");
}
