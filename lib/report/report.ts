import type { Diagnosis } from "../checks/diagnose.ts";
import type { CheckResult } from "../checks/run.ts";
import { checkText } from "../i18n/check-texts.ts";
import type { Locale } from "../i18n/locales.ts";
import { becauseText } from "../i18n/runner-texts.ts";
import type { Problem } from "../model/check.ts";
import type { FactKey, Facts } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { MissingFact, Report, ReportCheck, ReportFix, ReportProblem } from "../model/report.ts";
import type { Text } from "../model/text.ts";
import { withContext } from "./with-context.ts";

/** Everything that one look at a cluster found. */
export interface Checkup {
  readonly cluster: { readonly name: string; readonly context: string | null };
  readonly facts: Facts;
  readonly diagnosis: Diagnosis;
  /** The cluster's time at which it was judged. */
  readonly now: Date;
  readonly final: boolean;
  readonly requests: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** The report of a checkup in one language (contract.md, `check -o json`). */
export function reportOf(checkup: Checkup, locale: Locale): Report {
  const { facts, diagnosis } = checkup;
  return {
    schemaVersion: 1,
    final: checkup.final,
    verdict: diagnosis.verdict,
    cluster: { name: checkup.cluster.name, kubernetesVersion: facts.version.state === "known" ? facts.version.value.gitVersion : "" },
    now: checkup.now.toISOString(),
    installs: diagnosis.installs,
    rootCauses: diagnosis.rootCauses,
    checks: diagnosis.results.map((result) => reportCheck(result, checkup.cluster.context, locale)),
    reportedErrors: diagnosis.reportedErrors,
    gathering: { requests: checkup.requests, bytes: checkup.bytes, durationMs: checkup.durationMs, missing: missingFacts(facts) },
  };
}

function reportCheck(result: CheckResult, context: string | null, locale: Locale): ReportCheck {
  const { check } = result;
  const say = (text: Text) => checkText(check, text, locale);
  return {
    id: check.id,
    area: check.area,
    severity: result.problems[0]?.severity ?? check.severity,
    status: result.status,
    title: say({ key: "title" }),
    headline: say(result.headline),
    why: say({ key: "why" }),
    because: result.because.map((because) => (because.from === "check" ? say(because.text) : becauseText(because, locale))).join(" "),
    ruledOut: result.ruledOut.map((other) => ({ check: other.check, because: say(other) })),
    recovering: result.recovering,
    problems: result.problems.map((problem) => reportProblem(problem, context, say)),
  };
}

type Say = (text: Text) => string;

function reportProblem(problem: Problem, context: string | null, say: Say): ReportProblem {
  const { key, values = {}, severity, subject, evidence } = problem;
  return { key, values, text: say(problem), severity, subject, evidence, fix: problem.fix.map((step) => reportFix(step, context, say)) };
}

function reportFix(step: FixStep, context: string | null, say: Say): ReportFix {
  return {
    title: say(step.title),
    for: step.for,
    command: step.for === "values" ? step.command : withContext(step.command, context),
    effect: step.effect,
    changes: step.changes ? say(step.changes) : "",
    undo: step.undo ? say(step.undo) : "",
    instead: step.instead ?? false,
  };
}

function missingFacts(facts: Facts): readonly MissingFact[] {
  return (Object.keys(facts) as FactKey[]).flatMap((fact) => {
    const { state, ...rest } = facts[fact];
    return state === "missing" ? [{ fact, ...(rest as Omit<MissingFact, "fact">) }] : [];
  });
}
