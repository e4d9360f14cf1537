import { explain } from "../../lib/explain/explain.ts";
import type { Report } from "../../lib/model/report.ts";
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
      const now = summaryOf(await reportOn(cluster, scenario), scenario);
      for (const id of missing) awaiting(id, `says now ${JSON.stringify(now)}`);
      return;
    }
    await reportsTo(cluster, scenario);
    if (scenario.mends) {
      await runPrintedFix(cluster, await reportOn(cluster, scenario), scenario);
      await expect.poll(async () => (await cluster.report(scenario)).verdict, { message: "the printed fix mends it", timeout: 60_000 }).toBe("healthy");
    }
    await scenario.after?.(cluster);
  });
}

function reportOn(cluster: TestCluster, scenario: Scenario): Promise<Report> {
  return cluster.report({ ...scenario, reportedErrors: scenario.reported ? cluster.said.map(({ text }) => text) : [] });
}

/** Some faults take a moment until the cluster shows them: looks again until the report says what it must. */
async function reportsTo(cluster: TestCluster, scenario: Scenario): Promise<void> {
  const { verdict, roots, explains = [], settling = [] } = scenario.expect;
  const expected = { verdict, roots, explains: explains.filter(isKnown), settling };
  await expect
    .poll(async () => summaryOf(await reportOn(cluster, scenario), scenario), { timeout: (scenario.within ?? 15) * 1_000, intervals: [300] })
    .toEqual(expected);
}

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
