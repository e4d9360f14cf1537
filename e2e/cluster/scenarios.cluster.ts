import { isDeepStrictEqual } from "node:util";
import { explain } from "../../lib/explain/explain.ts";
import { knownValue } from "../../lib/model/facts.ts";
import type { Report } from "../../lib/model/report.ts";
import { reportOf } from "../../lib/report/report.ts";
import { normalWords, recordedWords, recordWords, type Words } from "../../lib/tools/recorded-words.ts";
import { isKnown } from "./awaiting.ts";
import type { TestCluster } from "./cluster.ts";
import { runPrintedFix } from "./printed-fix.ts";
import type { Scenario } from "./scenario.ts";
import { scenarioNamed, scenarioNames } from "./scenarios.ts";
import { expect, test } from "./test.ts";

for (const name of scenarioNames) {
  const scenario = await scenarioNamed(name);
  test(`${name}: ${scenario.title}`, async ({ cluster }) => {
    await cluster.reset(scenario.from);
    await scenario.fault(cluster);
    for (const { text, check } of cluster.said) {
      if (check === null) expect(explain(text).notOurs, text).not.toBeNull();
      else if (!isKnown(check)) awaiting(check, `explain ${JSON.stringify(text.slice(0, 200))}`);
      else expect(explain(text).matches[0]?.check, text).toBe(check);
    }
    const { roots } = scenario.expect;
    const missing = roots.filter((id) => !isKnown(id));
    if (missing.length > 0) {
      const now = await look(cluster, scenario);
      for (const id of missing) awaiting(id, `says now ${JSON.stringify(summaryOf(now.report, scenario))}`);
      compareWords(name, scenario, undefined, cluster);
      return;
    }
    const seen = await untilItSays(cluster, scenario);
    for (const id of scenario.expect.explains ?? []) if (!isKnown(id)) awaiting(id, `would be explained by ${roots[0]}`);
    compareWords(name, scenario, seen.probe, cluster);
    if (scenario.mends) {
      await runPrintedFix(cluster, seen.report, scenario);
      await expect.poll(async () => (await cluster.report(scenario)).verdict, { message: "the printed fix mends it", timeout: 60_000 }).toBe("healthy");
    }
    await scenario.after?.(cluster);
  });
}

interface Seen {
  readonly report: Report;
  /** What the API server refused the valid dry-run create with. */
  readonly probe: string | undefined;
}

async function look(cluster: TestCluster, scenario: Scenario): Promise<Seen> {
  const checkup = await cluster.checkup({ ...scenario, reportedErrors: scenario.reported ? cluster.said.map(({ text }) => text) : [] });
  const valid = knownValue(checkup.facts.apiProbe)?.valid;
  return { report: reportOf(checkup, "en"), probe: valid && !valid.accepted ? valid.message : undefined };
}

/** Some faults take a moment until the cluster shows them: looks again until the report says what it must. */
async function untilItSays(cluster: TestCluster, scenario: Scenario): Promise<Seen> {
  const { verdict, roots, explains = [], settling = [] } = scenario.expect;
  const expected = { verdict, roots, explains: explains.filter(isKnown), settling };
  let seen: Seen | undefined;
  await expect
    .poll(
      async () => {
        seen = await look(cluster, scenario);
        return summaryOf(seen.report, scenario);
      },
      { timeout: (scenario.within ?? 15) * 1_000, intervals: [300] },
    )
    .toEqual(expected);
  return seen as Seen;
}

/** What unit tests and demo clusters have as the API server's and the tools' own words must still be what they say. */
function compareWords(name: string, scenario: Scenario, probe: string | undefined, { said }: TestCluster): void {
  const root = scenario.expect.roots[0];
  if (probe === undefined && said.length === 0) return;
  const words: Words = { ...(root && { root }), ...(probe !== undefined && { probe }), ...(said.length > 0 && { said }) };
  const recorded = recordedWords(name);
  if (scenario.varies && recorded) return;
  if (!process.env.CERTMEDIC_RECORD) expect(normalWords(words), `differs from its recording: ${recordAgain}`).toEqual(normalWords(recorded ?? {}));
  else if (!recorded || !isDeepStrictEqual(normalWords(words), normalWords(recorded))) recordWords(name, words);
}

const recordAgain = "look at the difference, and record it with CERTMEDIC_RECORD=1 npm run test:cluster -- -g NAME";

/** Of what a first root cause explains, only what the scenario names: later checks may add to the rest. */
function summaryOf(report: Report, { expect: expected }: Scenario) {
  return {
    verdict: report.verdict,
    roots: report.rootCauses.map((cause) => cause.check),
    explains: (expected.explains ?? []).filter((id) => report.rootCauses[0]?.explains.includes(id)),
    settling: report.checks.filter((check) => check.status === "settling").map((check) => check.id),
  };
}

function awaiting(check: string, description: string): void {
  test.info().annotations.push({ type: "awaiting", description: `${check}: ${description}` });
}
