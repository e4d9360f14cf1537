import type { Locale } from "../i18n/locales.ts";
import { type ReportTexts, reportTexts } from "../i18n/report-texts.ts";
import { refText } from "../model/object-ref.ts";
import type { CheckStatus, Report, ReportCheck, ReportedError, ReportProblem } from "../model/report.ts";
import { linksTo } from "./catalogue.ts";

/** How a piece of text looks; the terminal decides what that means. */
export type Style = (look: "bad" | "poor" | "good" | "calm" | "dim" | "strong", text: string) => string;

const symbols: Record<CheckStatus, string> = { fail: "✗", settling: "…", pending: "…", unknown: "?", pass: "✓", "not-applicable": "–" };

/** The report as text for a terminal: the verdict, root causes with evidence and fix, then every check. */
export function reportText(report: Report, style: Style, locale: Locale): string {
  const say = reportTexts(locale);
  const byId = new Map(report.checks.map((check) => [check.id, check]));
  const of = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const roots = report.rootCauses.flatMap((root) => of([root.check]).map((check) => rootText(check, of(root.explains), style, say)));
  const parts = [
    verdictText(report, of(report.rootCauses.map((root) => root.check))[0], style, say),
    ...roots,
    errorsText(report, style, say, locale),
    checklistText(report, style, say),
    trafficText(report, style, say),
  ];
  return printable(parts.filter(Boolean).join("\n\n"));
}

function verdictText(report: Report, top: ReportCheck | undefined, style: Style, say: ReportTexts): string {
  const look = { healthy: "good", settling: "calm", unknown: "poor", degraded: "poor", broken: "bad", "not-installed": "poor" } as const;
  const headline = top && report.verdict !== "healthy" ? top.headline.replaceAll("*", "") : say.verdicts[report.verdict];
  const installs = report.installs.map((install) => `cert-manager ${install.version} in ${install.namespace} (${install.method})`);
  const where = [report.cluster.name, report.cluster.kubernetesVersion && `Kubernetes ${report.cluster.kubernetesVersion}`, ...installs].filter(Boolean);
  return `${style(look[report.verdict], `${report.verdict.toUpperCase()}`)}  ${style("strong", headline)}\n${style("dim", where.join(" · "))}`;
}

function rootText(check: ReportCheck, explains: readonly ReportCheck[], style: Style, say: ReportTexts): string {
  const head = `${style("bad", say.rootCause)}  ${style("strong", check.title)} ${style("dim", `${check.id}, ${check.severity}`)}`;
  const lines = [head, indent(wrap(check.why))];
  for (const problem of check.problems) lines.push("", indent(problemText(problem, style, say)));
  const fixes = uniqueFixes(check.problems);
  if (fixes.length > 0) lines.push("", indent(style("strong", say.fix)), ...fixes.map((fix) => indent(fixText(fix, style, say))));
  if (check.because) lines.push("", indent(wrap(`${say.sure} ${check.because}`)));
  if (explains.length > 0) lines.push("", indent(`${style("strong", say.explains)}  ${explains.map((one) => one.title).join(" → ")}`));
  return lines.join("\n");
}

function problemText(problem: ReportProblem, style: Style, say: ReportTexts): string {
  const evidence = problem.evidence.map(
    ({ object, path, value }) => `${style("dim", `${refText(object)} ${path}`)}\n${indent(value === null ? say.absent : value === "" ? '""' : short(value))}`,
  );
  return [wrap(problem.text), ...evidence.map(indent)].join("\n");
}

type Fix = ReportProblem["fix"][number];

/** Problems of one check often share a fix: each is shown once, alternatives to the first way of a step left out. */
function uniqueFixes(problems: readonly ReportProblem[]): readonly Fix[] {
  const seen = new Set<string>();
  return problems
    .flatMap((problem) => problem.fix)
    .filter((fix, index, all) => {
      const alternative = all[index - 1]?.title === fix.title && all[index - 1]?.for !== fix.for;
      if (alternative || seen.has(fix.command)) return false;
      seen.add(fix.command);
      return true;
    });
}

function fixText(fix: Fix, style: Style, say: ReportTexts): string {
  const warning = fix.effect === "deletes-data" ? `${style("bad", `${say.deletes} ${fix.changes}`)}\n` : "";
  const effect = fix.effect === "cluster" ? `\n${style("poor", say.changes)} ${fix.changes}` : fix.effect === "none" && fix.changes ? `\n${fix.changes}` : "";
  const undo = fix.undo ? `\n${style("dim", `${say.undo} ${fix.undo}`)}` : "";
  return `${fix.title}\n${indent(`${warning}${fix.command}${effect}${undo}`)}`;
}

function errorsText(report: Report, style: Style, say: ReportTexts, locale: Locale): string {
  const title = (id: string) => `${titleOf(id, report, locale)} (${id})`;
  return report.reportedErrors
    .map((error) => `${style("strong", say.youSaw)}  ${short(error.text)}\n${indent(wrap(accountText(error, title, style, say)))}`)
    .join("\n");
}

function accountText(error: ReportedError, title: (id: string) => string, style: Style, say: ReportTexts): string {
  if (error.by !== null) return style("good", say.explainedBy(title(error.by)));
  if (error.notOurs !== null) return style("dim", say.otherProduct(error.notOurs));
  const [likely] = error.checks;
  return likely === undefined ? style("dim", say.unknownError) : style("poor", say.notExplained(title(likely)));
}

/** Failure modes that no look at a cluster can show aren't among a report's checks. */
function titleOf(id: string, report: Report, locale: Locale): string {
  return report.checks.find((check) => check.id === id)?.title ?? linksTo([id], locale)[0]?.title ?? id;
}

function checklistText(report: Report, style: Style, say: ReportTexts): string {
  const groups = (Object.keys(symbols) as CheckStatus[])
    .map((status) => ({ status, checks: report.checks.filter((check) => check.status === status) }))
    .filter((group) => group.checks.length > 0);
  const counts = groups.map(({ status, checks }) => `${checks.length} ${say.statuses[status]}`).join(", ");
  const listed = groups.filter(({ status }) => status !== "pass" && status !== "not-applicable").flatMap(({ checks }) => checks);
  const look = { fail: "bad", settling: "calm", pending: "calm", unknown: "poor", pass: "good", "not-applicable": "dim" } as const;
  const rows = listed.map((check) => {
    const said = check.status === "fail" || check.status === "settling" ? check.problems.map((problem) => problem.text).join(" ") : check.because;
    return indent(
      `${style(look[check.status], symbols[check.status])} ${check.title} ${style("dim", check.id)}${said ? `\n${indent(indent(wrap(said)))}` : ""}`,
    );
  });
  return [`${style("strong", say.checks)}  ${counts}`, ...rows].join("\n");
}

function trafficText(report: Report, style: Style, say: ReportTexts): string {
  const { requests, bytes, durationMs } = report.gathering;
  return style("dim", say.traffic(requests, Math.round(bytes / 1024), durationMs));
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

function wrap(text: string, width = 100): string {
  return text.replaceAll(new RegExp(`(?=.{${width},})(.{1,${width}})\\s`, "g"), "$1\n");
}

function short(value: string): string {
  return value.length > 400 ? `${value.slice(0, 400)}…` : value;
}

/** Text from a cluster may hold control characters that a terminal would obey; our own colours stay. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  return text.replaceAll(/\u001b(?!\[\d{1,2}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g, "");
}
