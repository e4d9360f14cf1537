import { fixtureCases } from "../checks/fixture.ts";
import { checks } from "../checks/index.gen.ts";
import { type FieldReport, fieldReports } from "../field-reports/field-report.ts";
import { missedEntry, missedRoot, stillToCome } from "../field-reports/misses.ts";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import { printFigure } from "./figures.ts";
import { checkupOfCase } from "./fixture-checkup.ts";
import { allRecordedWords } from "./recorded-words.ts";

/** One thing that the product was asked, and what it said where that was wrong; undefined where the right answer is a check that is to come. */
interface Trial {
  readonly what: string;
  readonly wrong: string | null | undefined;
  /** Whether the right answer is at least among those given. */
  readonly among?: boolean;
}

/** Prints how often the right root cause and the right entry come first, and names the misses. */
export async function printAccuracy(): Promise<void> {
  const server = await startSnapshotServer();
  const reports = fieldReports();
  const roots = [
    ["field reports", await inTurn(reports, ([name, report]) => rootTrial(server, name, report))],
    ["sketches in fixtures", await inTurn(checks, ({ id }) => fixtureTrials(server, id))],
  ] as const;
  await server.close();
  const said = reports.flatMap(([name, { said = [] }]) => said.map((one) => entryTrial(name, one)));
  const recorded = [...allRecordedWords()].flatMap(([name, { said = [] }]) => said.map((one) => entryTrial(name, one)));
  for (const [of, trials] of roots) printTrials(`right root cause first: ${of}`, trials);
  printTrials("right entry first: field reports", said);
  printTrials("right entry first: words of real tools", recorded);
}

async function rootTrial(server: SnapshotServer, name: string, report: FieldReport): Promise<readonly Trial[]> {
  const { expect } = report;
  if (!expect) return [];
  if (stillToCome(expect.roots).length > 0) return [{ what: name, wrong: undefined }];
  const { diagnosis } = await checkupOfCase(server, name, report);
  return [{ what: name, wrong: missedRoot(diagnosis, expect) }];
}

async function fixtureTrials(server: SnapshotServer, id: string): Promise<readonly Trial[]> {
  const failing = fixtureCases("lib/checks", id).filter((one) => one.expect.status === "fail");
  return inTurn(failing, async (one) => {
    const { diagnosis } = await checkupOfCase(server, id, one);
    const roots = diagnosis.rootCauses.map((root) => root.check);
    const wanted = one.expect.root ?? id;
    const wrong = roots[0] === wanted ? null : `${roots.join(", ")}, not ${wanted}`;
    return [{ what: `${id}: ${one.case}`, wrong, among: roots.includes(wanted) }];
  });
}

function entryTrial(name: string, one: { readonly text: string; readonly check?: string | null; readonly notOurs?: string }): Trial {
  const { text, check } = one;
  const what = `${name}: ${text.length > 110 ? `… ${text.slice(-108)}` : text}`;
  return { what, wrong: stillToCome(check ? [check] : []).length > 0 ? undefined : missedEntry(one) };
}

async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<readonly Trial[]>): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const one of all) trials.push(...(await work(one)));
  return trials;
}

function printTrials(what: string, trials: readonly Trial[]): void {
  const asked = trials.filter(({ wrong }) => wrong !== undefined);
  const right = asked.filter(({ wrong }) => wrong === null);
  const toCome = trials.length - asked.length;
  const among = asked.filter((trial) => trial.among).length;
  const beside = [
    asked.length > 0 ? `${((right.length / asked.length) * 100).toFixed(1)} %` : "",
    among > 0 ? `in ${among} one of the root causes` : "",
    toCome > 0 ? `${toCome} more await a check that is to come` : "",
  ];
  printFigure(what, `${right.length}/${asked.length}`, beside.filter(Boolean).join("; "));
  for (const { what: missed, wrong } of asked) if (wrong !== null) console.log(`  missed: ${missed}\n          ${wrong}`);
}
