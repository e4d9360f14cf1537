import type { CheckStatus, Report, ReportCheck, RootCause } from "../model/report.ts";

/** A failing check in the list: consequences stand under their root cause. */
export interface ChecklistRow {
  readonly check: ReportCheck;
  readonly consequence: boolean;
  /** How many rows below are its consequences. */
  readonly explains: number;
}

export interface Root {
  readonly check: ReportCheck;
  readonly consequences: readonly ReportCheck[];
  /** The consequences on the way to what is seen last. */
  readonly chain: readonly ReportCheck[];
}

export interface Checklist {
  /** Root causes that break or degrade something, most likely first. */
  readonly roots: readonly Root[];
  /** Those roots, each followed by its consequences; a check that several explain stands under the first. */
  readonly failing: readonly ChecklistRow[];
  /** Root causes that break nothing now, with what follows from them. */
  readonly warnings: readonly ChecklistRow[];
  readonly settling: readonly ReportCheck[];
  readonly pending: readonly ReportCheck[];
  readonly unknown: readonly ReportCheck[];
  readonly passed: readonly ReportCheck[];
  readonly notApplicable: readonly ReportCheck[];
}

/** The checks of a report in the order in which people need them. */
export function checklistOf(report: Pick<Report, "checks" | "rootCauses">): Checklist {
  const byId = new Map(report.checks.map((check) => [check.id, check]));
  const known = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const roots = report.rootCauses.flatMap((cause: RootCause) =>
    known([cause.check]).map((check) => ({ check, consequences: known(cause.explains), chain: known(cause.chain) })),
  );
  const bad = roots.filter((root) => isBad(root.check));
  const shown = new Set<string>();
  const rows = (of: readonly Root[]) => of.flatMap((root) => rowsOf(root, shown));
  const withStatus = (status: CheckStatus) => report.checks.filter((check) => check.status === status);
  return {
    roots: bad,
    failing: rows(bad),
    warnings: rows(roots.filter((root) => !isBad(root.check))),
    settling: withStatus("settling"),
    pending: withStatus("pending"),
    unknown: withStatus("unknown"),
    passed: withStatus("pass"),
    notApplicable: withStatus("not-applicable"),
  };
}

function isBad(check: ReportCheck): boolean {
  return check.severity === "blocker" || check.severity === "degraded";
}

function rowsOf({ check, consequences }: Root, shown: Set<string>): readonly ChecklistRow[] {
  if (shown.has(check.id)) return [];
  shown.add(check.id);
  const below = consequences.filter((one) => !shown.has(one.id));
  for (const one of below) shown.add(one.id);
  return [{ check, consequence: false, explains: below.length }, ...below.map((one) => ({ check: one, consequence: true, explains: 0 }))];
}
