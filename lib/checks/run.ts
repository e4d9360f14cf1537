import type { Check, Problem, Windows } from "../model/check.ts";
import type { Fact, FactKey, Facts, MissingReason, NotAskedBecause } from "../model/facts.ts";
import type { CheckStatus } from "../model/report.ts";
import type { Text } from "../model/text.ts";
import { youthOf } from "./youth.ts";

/** Why a check has no verdict: a text of its own, or what the runner says for every check. */
export type Because =
  | { readonly from: "check"; readonly text: Text }
  | { readonly from: "missing"; readonly fact: FactKey; readonly reason: MissingReason; readonly detail: string }
  | { readonly from: "not-asked"; readonly reason: NotAskedBecause }
  | { readonly from: "pending"; readonly fact: FactKey }
  | { readonly from: "thrown"; readonly detail: string };

export interface CheckResult {
  readonly check: Check;
  readonly status: CheckStatus;
  readonly headline: Text;
  readonly because: readonly Because[];
  readonly ruledOut: readonly ({ readonly check: string } & Text)[];
  /** Worst first. */
  readonly problems: readonly Problem[];
  readonly recovering: boolean;
}

const headline: Text = { key: "headline" };

/** Runs one check on the facts. A need that isn't known never reaches it, so a check can't pass by not seeing. */
export function runCheck(check: Check, facts: Facts, now: Date, windows: Windows): CheckResult {
  const without = (status: CheckStatus, because: Because): CheckResult => ({
    check,
    status,
    headline,
    because: [because],
    ruledOut: [],
    problems: [],
    recovering: false,
  });
  const given: Partial<Record<FactKey, unknown>> = {};
  const obstacle = obstacleAmong(check.needs, facts);
  if (obstacle) return without(...obstacle);
  for (const key of check.needs) given[key] = (facts[key] as { value: unknown }).value;
  for (const key of check.uses) given[key] = facts[key];
  if (!check.run) throw new Error(`${check.id} has no run: it can't be asked of a cluster`);
  try {
    const outcome = check.run(given as never, now, windows);
    if (outcome.status === "pass") return { check, status: "pass", headline, because: [], ruledOut: [], problems: [], recovering: false };
    if (outcome.status === "not-applicable") return without("not-applicable", { from: "check", text: outcome.because });
    if (outcome.status === "needs") {
      const missing = obstacleAmong([outcome.fact], facts);
      if (!missing) throw new Error(`${outcome.fact} is known`);
      return without(...missing);
    }
    const youths = outcome.problems.map((problem) => (problem.transient ? youthOf(facts, problem.install, now, windows) : "grown"));
    return {
      check,
      status: youths.every((youth) => youth === "settling") ? "settling" : "fail",
      headline: outcome.headline ?? headline,
      because: (outcome.because ?? []).map((text) => ({ from: "check", text })),
      ruledOut: outcome.ruledOut ?? [],
      problems: bySeverity(outcome.problems),
      recovering: youths.every((youth) => youth === "recovering"),
    };
  } catch (error) {
    return without("unknown", { from: "thrown", detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Why facts don't suffice, and what status that is. What couldn't be read counts before what is on its way and what wasn't asked. */
function obstacleAmong(keys: readonly FactKey[], facts: Facts): [CheckStatus, Because] | null {
  const all = keys.map((key) => [key, facts[key] as Fact<unknown>] as const);
  for (const [fact, value] of all) if (value.state === "missing") return ["unknown", { from: "missing", fact, reason: value.reason, detail: value.detail }];
  for (const [fact, value] of all) if (value.state === "pending") return ["pending", { from: "pending", fact }];
  for (const [, value] of all) if (value.state === "not-asked") return ["not-applicable", { from: "not-asked", reason: value.because }];
  return null;
}

const order = ["blocker", "degraded", "warning", "info"];

function bySeverity(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}
