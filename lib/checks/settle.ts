import { causesAmong } from "./link.ts";
import type { CheckResult } from "./run.ts";

/**
 * A state that is normal in an install's first minutes is normal too while its cause settles: a CA bundle is empty as long as cainjector
 * waits for the lease of a holder that was killed, however old the install is (catalogue 0.3).
 */
export function settleEffects(results: readonly CheckResult[]): readonly CheckResult[] {
  const settling = causesAmong(results, "settling");
  const next = results.map((result) => (waits(result) && settling(result).length > 0 ? { ...result, status: "settling" as const, recovering: false } : result));
  return next.some((result, index) => result !== results[index]) ? settleEffects(next) : results;
}

function waits({ status, problems }: CheckResult): boolean {
  return status === "fail" && problems.every((problem) => problem.transient);
}
