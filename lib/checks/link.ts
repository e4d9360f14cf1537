import { areas, type Problem, severities } from "../model/check.ts";
import { sameObject } from "../model/object-ref.ts";
import type { RootCause } from "../model/report.ts";
import type { CheckResult } from "./run.ts";

/**
 * The root causes among failing checks, most likely first. A `causedBy` edge counts where the cause fails too and a
 * problem of each touch; a failing check with such an edge is a consequence.
 */
export function linkCauses(results: readonly CheckResult[]): readonly RootCause[] {
  const failing = results.filter((result) => result.status === "fail");
  const byId = new Map(failing.map((result) => [result.check.id, result]));
  const causesOf = (result: CheckResult) =>
    result.check.causedBy.flatMap((id) => {
      const cause = byId.get(id);
      return cause && touches(cause.problems, result.problems) ? [cause] : [];
    });
  const effectsOf = (cause: CheckResult) => failing.filter((result) => causesOf(result).includes(cause));
  return failing
    .filter((result) => causesOf(result).length === 0)
    .map((root) => ({ root, explains: reachable(root, effectsOf) }))
    .sort((a, b) => rank(a.root) - rank(b.root) || b.explains.length - a.explains.length || areas.indexOf(a.root.check.area) - areas.indexOf(b.root.check.area))
    .map(({ root, explains }) => ({ check: root.check.id, explains: explains.map((result) => result.check.id) }));
}

function rank(result: CheckResult): number {
  return severities.indexOf(result.problems[0]?.severity ?? "info");
}

/** Everything downstream, nearest first. */
function reachable(root: CheckResult, next: (of: CheckResult) => readonly CheckResult[]): readonly CheckResult[] {
  const found = new Set<CheckResult>();
  let front = [root];
  while (front.length > 0) {
    front = [...new Set(front.flatMap(next))].filter((result) => !found.has(result) && result !== root);
    for (const result of front) found.add(result);
  }
  return [...found];
}

function touches(causes: readonly Problem[], effects: readonly Problem[]): boolean {
  return causes.some((cause) => effects.some((effect) => sameObject(cause.subject, effect.subject) || sameInstallAndComponent(cause, effect)));
}

/** What a problem doesn't name, it is about all of. */
function sameInstallAndComponent(a: Problem, b: Problem): boolean {
  const same = (x: string | undefined, y: string | undefined) => x === undefined || y === undefined || x === y;
  return same(a.install, b.install) && same(a.component, b.component);
}
