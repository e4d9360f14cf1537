import { installs } from "../derive/installs.ts";
import { severities, type Windows } from "../model/check.ts";
import { type Facts, knownValue } from "../model/facts.ts";
import type { InstallSummary, ReportedError, RootCause, Verdict } from "../model/report.ts";
import { accountFor } from "./account.ts";
import { checks } from "./index.gen.ts";
import { linkCauses } from "./link.ts";
import { type CheckResult, runCheck } from "./run.ts";
import { settleEffects } from "./settle.ts";

/** What the facts mean: keys and values, no text yet. */
export interface Diagnosis {
  readonly verdict: Verdict;
  readonly installs: readonly InstallSummary[];
  readonly rootCauses: readonly RootCause[];
  readonly results: readonly CheckResult[];
  readonly reportedErrors: readonly ReportedError[];
}

/** Judges the facts at `now`. Pure. */
export function diagnose(facts: Facts, now: Date, windows: Windows): Diagnosis {
  const results = settleEffects(checks.filter((check) => check.run).map((check) => runCheck(check, facts, now, windows)));
  const rootCauses = linkCauses(results);
  return {
    verdict: verdictOf(facts, results),
    installs: installs({ deployments: knownValue(facts.deployments) ?? [] }).map(({ namespace, release, method, version }) => ({
      namespace,
      release,
      method,
      version,
    })),
    rootCauses,
    results,
    reportedErrors: (knownValue(facts.reportedErrors) ?? []).map((text) => accountFor(text, { results, rootCauses })),
  };
}

/** The first that applies (contract.md, Statuses and verdict). */
function verdictOf(facts: Facts, results: readonly CheckResult[]): Verdict {
  if (nothingInstalled(facts)) return "not-installed";
  const worst = results.filter((result) => result.status === "fail").flatMap((result) => result.problems.map((problem) => problem.severity));
  if (worst.includes("blocker")) return "broken";
  if (worst.includes("degraded")) return "degraded";
  if (results.some((result) => result.status === "settling")) return "settling";
  const blind = results.some((result) => (result.status === "unknown" || result.status === "pending") && result.check.severity === severities[0]);
  return blind && !probePassed(facts) ? "unknown" : "healthy";
}

function nothingInstalled(facts: Facts): boolean {
  const { deployments, crds, webhooks } = facts;
  if (deployments.state !== "known" || crds.state !== "known" || webhooks.state !== "known") return false;
  return deployments.value.length === 0 && webhooks.value.length === 0 && crds.value.every((crd) => !crd.object);
}

/** The API server let a good request through cert-manager's admission and kept a bad one out. */
function probePassed(facts: Facts): boolean {
  const probe = knownValue(facts.apiProbe);
  return probe?.valid.accepted === true && probe.valid.username !== "" && probe.invalid?.accepted === false;
}
