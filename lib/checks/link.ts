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
    .map((root) => ({ root, ...consequencesOf(root, effectsOf) }))
    .sort((a, b) => rank(a.root) - rank(b.root) || b.explains.length - a.explains.length || byArea(a.root, b.root))
    .map(({ root, explains, chain }) => ({ check: root.check.id, explains: explains.map(idOf), chain: chain.map(idOf) }));
}

function rank(result: CheckResult): number {
  return severities.indexOf(result.problems[0]?.severity ?? "info");
}

/** Everything downstream, nearest first, and the shortest way to what is seen last. */
function consequencesOf(root: CheckResult, next: (of: CheckResult) => readonly CheckResult[]) {
  const causes = new Map<CheckResult, CheckResult>();
  let front = [root];
  while (front.length > 0) {
    const found: CheckResult[] = [];
    for (const cause of front) {
      for (const effect of next(cause)) {
        if (effect === root || causes.has(effect)) continue;
        causes.set(effect, cause);
        found.push(effect);
      }
    }
    front = found;
  }
  const explains = [...causes.keys()];
  const ends = explains.filter((result) => next(result).length === 0);
  const chain: CheckResult[] = [];
  for (let at = ends.sort(byArea).at(-1); at && at !== root; at = causes.get(at)) chain.unshift(at);
  return { explains, chain };
}

function byArea(a: CheckResult, b: CheckResult): number {
  return areas.indexOf(a.check.area) - areas.indexOf(b.check.area);
}

function idOf(result: CheckResult): string {
  return result.check.id;
}

function touches(causes: readonly Problem[], effects: readonly Problem[]): boolean {
  return causes.some((cause) => effects.some((effect) => sameObject(cause.subject, effect.subject) || sameInstallAndComponent(cause, effect)));
}

/** What a problem doesn't name, it is about all of. */
function sameInstallAndComponent(a: Problem, b: Problem): boolean {
  const same = (x: string | undefined, y: string | undefined) => x === undefined || y === undefined || x === y;
  return same(a.install, b.install) && same(a.component, b.component);
}
