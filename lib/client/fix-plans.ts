import type { FixTool } from "../model/fix.ts";
import type { ReportFix, ReportProblem } from "../model/report.ts";

/** Commands that are run together: they have the same effect, and are undone in the same way. */
export interface FixRun extends Pick<ReportFix, "effect" | "changes" | "undo"> {
  readonly commands: readonly string[];
}

/** One way to do a step; a step has several where its tools differ. */
export interface FixWay {
  readonly tool: FixTool;
  readonly runs: readonly FixRun[];
}

export interface FixStepPlan {
  readonly title: string;
  /** Its place among the steps that follow one another; null for one that is done instead of those before it. */
  readonly number: number | null;
  /** The fitting one first. */
  readonly ways: readonly FixWay[];
}

/** What repairs some problems of a check, as steps in order. */
export interface FixPlan {
  readonly problems: readonly ReportProblem[];
  readonly steps: readonly FixStepPlan[];
}

/**
 * The fixes of a check's problems. Problems that are repaired by the same steps share one plan, in which a command
 * stands once; problems without a fix have none.
 */
export function fixPlans(problems: readonly ReportProblem[]): readonly FixPlan[] {
  const alike = Map.groupBy(
    problems.filter((problem) => problem.fix.length > 0),
    (problem) => problem.fix.map((step) => `${step.for} ${step.title}`).join("\n"),
  );
  return [...alike.values()].map((group) => ({ problems: group, steps: stepsOf(group) }));
}

/** How many steps of a plan follow one another. */
export function numbered(plan: FixPlan): number {
  return plan.steps.filter((step) => step.number !== null).length;
}

/** Steps in a row with the same title are alternatives. */
function stepsOf(problems: readonly ReportProblem[]): readonly FixStepPlan[] {
  // The problems are alike, so the nth fix of each belongs to the same step and tool.
  const ways = (problems[0]?.fix ?? []).map((first, index) => ({
    title: first.title,
    instead: first.instead,
    way: { tool: first.for, runs: runsOf(problems.flatMap((problem) => problem.fix[index] ?? [])) },
  }));
  const steps: { title: string; number: number | null; ways: FixWay[] }[] = [];
  let number = 0;
  for (const { title, instead, way } of ways) {
    const last = steps.at(-1);
    if (last?.title === title) last.ways.push(way);
    else steps.push({ title, number: instead ? null : ++number, ways: [way] });
  }
  return steps;
}

function runsOf(fixes: readonly ReportFix[]): readonly FixRun[] {
  const alike = Map.groupBy(fixes, ({ effect, changes, undo }) => JSON.stringify([effect, changes, undo]));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ commands: [...new Set(group.map((fix) => fix.command))], effect: first.effect, changes: first.changes, undo: first.undo }] : [];
  });
}
