import type { Report, ReportFix } from "../../lib/model/report.ts";
import type { TestCluster } from "./cluster.ts";

/**
 * Does what a person does with the first root cause: pastes each step's command, the first where several are alternatives.
 * Steps that only look may end with anything; one that changes something must go through.
 */
export async function runPrintedFix(cluster: TestCluster, report: Report): Promise<void> {
  const root = report.checks.find((check) => check.id === report.rootCauses[0]?.check);
  const steps = root?.problems.flatMap((problem) => stepsOf(problem.fix)) ?? [];
  if (!steps.some((step) => step.effect !== "none")) throw new Error(`${root?.id} prints no command that mends it`);
  for (const step of steps) {
    if (step.effect === "none") await cluster.try(step.command);
    else await cluster.run(step.command);
  }
}

function stepsOf(fix: readonly ReportFix[]): readonly ReportFix[] {
  return fix.filter((step, index) => !step.instead && step.title !== fix[index - 1]?.title && (step.for === "kubectl" || step.for === "helm"));
}
