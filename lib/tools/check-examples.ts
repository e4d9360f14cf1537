import { fixtureCases } from "../checks/fixture.ts";
import { checks } from "../checks/index.gen.ts";
import { reportOf } from "../report/report.ts";
import { startSnapshotServer } from "../snapshot/server.ts";
import { checkupOfCase } from "./fixture-checkup.ts";

/** What each check really reports for the first failing case of its fixture: the example of its page. */
export async function examplesOfChecks(): Promise<string> {
  const server = await startSnapshotServer();
  try {
    const examples: Record<string, unknown> = {};
    for (const check of checks) {
      const failing = fixtureCases("lib/checks", check.id).find((one) => one.expect.status === "fail" || one.expect.status === "settling");
      if (!failing) continue;
      const report = reportOf(await checkupOfCase(server, check.id, failing), "en");
      examples[check.id] = { case: failing.case, problems: report.checks.find((one) => one.id === check.id)?.problems ?? [] };
    }
    return `${JSON.stringify(examples, null, 2)}\n`;
  } finally {
    await server.close();
  }
}
