import type { Report, ReportFix } from "../../lib/model/report.ts";
import type { TestCluster } from "./cluster.ts";
import type { Scenario } from "./scenario.ts";

/**
 * Does what a person does with the first root cause: pastes each step's command, the first where several are alternatives.
 * Steps that only look may end with anything; one that changes something must go through.
 */
export async function runPrintedFix(cluster: TestCluster, report: Report, how: Pick<Scenario, "types" | "helm" | "prefers"> = {}): Promise<void> {
  const root = report.checks.find((check) => check.id === report.rootCauses[0]?.check);
  const steps = root?.problems.flatMap((problem) => stepsOf(problem.fix, how.prefers)) ?? [];
  if (!steps.some((step) => step.effect !== "none")) throw new Error(`${root?.id} prints no command that mends it`);
  for (const step of steps) {
    if (step.effect === "none") await cluster.try(step.command);
    else await cluster.run(step.command, { ...(how.helm ? { helm: how.helm } : {}), input: how.types ?? "" });
  }
}

/** Consecutive steps of one title are alternatives. */
function stepsOf(fix: readonly ReportFix[], prefers: Scenario["prefers"]): readonly ReportFix[] {
  const groups: ReportFix[][] = [];
  for (const step of fix.filter((one) => !one.instead && (one.for === "kubectl" || one.for === "helm"))) {
    const last = groups.at(-1);
    if (last?.[0]?.title === step.title) last.push(step);
    else groups.push([step]);
  }
  return groups.flatMap((group) => group.find((step) => step.for === prefers) ?? group[0] ?? []);
}
