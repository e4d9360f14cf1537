import type { Problem } from "../model/check.ts";
import { severities } from "../model/check.ts";

/** Leaves a fix that is about a whole install with the worst of its problems, so that it isn't told once for each pod. */
export function fixOnce<P extends Problem>(problems: readonly P[], isShared: (problem: P) => boolean = () => true): readonly P[] {
  const rank = (problem: P) => severities.indexOf(problem.severity);
  return problems.map((problem) => {
    if (!isShared(problem)) return problem;
    const peers = problems.filter((other) => isShared(other) && other.install === problem.install);
    const worst = peers.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    return worst === problem ? problem : { ...problem, fix: [] };
  });
}
