import { checks } from "../checks/index.gen.ts";
import type { Locale } from "../i18n/locales.ts";
import type { FactKey } from "../model/facts.ts";
import type { FindingView } from "../model/view.ts";
import { linksTo } from "./catalogue.ts";
import { evidenceView } from "./evidence.ts";
import { type Checkup, reportOf } from "./report.ts";

/** Everything that a check's page shows of one checkup. Null for an unknown check. */
export function findingOf(checkup: Checkup, id: string, locale: Locale): Omit<FindingView, "cluster" | "running" | "checkedAt"> | null {
  const report = reportOf(checkup, locale);
  const check = report.checks.find((one) => one.id === id);
  const definition = checks.find((one) => one.id === id);
  if (!check || !definition) return null;
  // A check may need in one state what it only uses in others.
  const readsFact = (fact: FactKey) => definition.needs.includes(fact) || (check.status === "unknown" && definition.uses.includes(fact));
  const failing = report.checks.filter((one) => one.status === "fail").map((one) => one.id);
  const roots = report.rootCauses.filter((root) => root.explains.includes(id)).map((root) => root.check);
  const explains = report.rootCauses.find((root) => root.check === id)?.explains;
  const effects = explains ?? checks.filter((one) => one.causedBy.includes(id) && failing.includes(one.id)).map((one) => one.id);
  return {
    final: report.final,
    check,
    problems: check.problems.map((problem) => ({ ...problem, evidenceViews: problem.evidence.map((evidence) => evidenceView(checkup.facts, evidence)) })),
    causes: linksTo(roots, locale),
    effects: linksTo(check.status === "fail" ? effects : [], locale),
    ruledOut: check.ruledOut.flatMap((other) => linksTo([other.check], locale).map((link) => ({ ...link, because: other.because }))),
    sources: definition.sources,
    missingRules: report.gathering.missing.flatMap((missing) => (missing.rule && readsFact(missing.fact) ? [missing.rule] : [])),
  };
}
