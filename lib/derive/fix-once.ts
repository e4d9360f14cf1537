import type { Problem } from "../model/check.ts";
import { severities } from "../model/check.ts";

/**
 * Leaves a fix that mends several problems with the worst of them, so that it isn't told once for each pod. Problems of
 * one install have the same fix unless said otherwise.
 */
export function fixOnce<P extends Problem>(problems: readonly P[], isSame: (a: P, b: P) => boolean = sameInstall): readonly P[] {
  const rank = (problem: P) => severities.indexOf(problem.severity);
  return problems.map((problem) => {
    const peers = problems.filter((other) => other === problem || isSame(other, problem));
    const worst = peers.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    return worst === problem ? problem : { ...problem, fix: [] };
  });
}

function sameInstall(a: Problem, b: Problem): boolean {
  return a.install === b.install;
}

/** Whether both are mended by the same commands. */
export function sameCommands(a: Problem, b: Problem): boolean {
  return sameInstall(a, b) && JSON.stringify(a.fix) === JSON.stringify(b.fix);
}
