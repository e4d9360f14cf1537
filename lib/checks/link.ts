import { areas, type Problem, severities } from "../model/check.ts";
import type { RootCause } from "../model/report.ts";
import type { CheckResult } from "./run.ts";
import { touches } from "./touch.ts";

/**
 * The root causes among failing checks, most likely first. A `causedBy` edge counts where the cause fails too and a
 * problem of each touch; a failing check whose every problem has such a cause is a consequence. Where a cause couldn't be judged,
 * its own causes stand in for it: what isn't seen doesn't part a root from what it does.
 */
export function linkCauses(results: readonly CheckResult[]): readonly RootCause[] {
  const failing = results.filter((result) => result.status === "fail");
  const links = causesAmong(results);
  const effects = new Map<CheckResult, CheckResult[]>();
  const roots: CheckResult[] = [];
  for (const result of failing) {
    const causes = links(result);
    for (const cause of causes) effects.set(cause, [...(effects.get(cause) ?? []), result]);
    if (result.problems.some((problem) => !causes.some((cause) => explains(cause, problem)))) roots.push(result);
  }
  return roots
    .map((root) => ({ root, ...consequencesOf(root, (of) => effects.get(of) ?? []) }))
    .sort((a, b) => rank(a) - rank(b) || b.explains.length - a.explains.length || byArea(a.root, b.root))
    .map(({ root, explains, chain }) => ({ check: root.check.id, explains: explains.map(idOf), chain: chain.map(idOf) }));
}

/** Gives the failing (or, with another status, e.g. settling) results that explain some problem of a result. */
export function causesAmong(results: readonly CheckResult[], status: CheckResult["status"] = "fail"): (of: CheckResult) => readonly CheckResult[] {
  const byId = new Map(results.map((result) => [result.check.id, result]));
  const candidates = (of: CheckResult, seen: Set<string>): readonly CheckResult[] =>
    of.check.causedBy.flatMap((id) => {
      const cause = byId.get(id);
      if (!cause || seen.has(id)) return [];
      seen.add(id);
      if (cause.status === status) return [cause];
      return cause.status === "unknown" || cause.status === "pending" ? candidates(cause, seen) : [];
    });
  return (of) => candidates(of, new Set([of.check.id])).filter((cause) => of.problems.some((problem) => explains(cause, problem)));
}

function explains(cause: CheckResult, effect: Problem): boolean {
  return cause.problems.some((problem) => touches(problem, effect));
}

/** As bad as the worst of what it leads to: an idle leader is nothing by itself, and everything to who waits for it. */
function rank({ root, explains }: { readonly root: CheckResult; readonly explains: readonly CheckResult[] }): number {
  return Math.min(...[root, ...explains].map((result) => severities.indexOf(result.problems[0]?.severity ?? "info")));
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
