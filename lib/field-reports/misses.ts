import type { Diagnosis } from "../checks/diagnose.ts";
import { checks } from "../checks/index.gen.ts";
import { explain } from "../explain/explain.ts";
import type { FieldReport } from "./field-report.ts";

const known = new Set(checks.map((check) => check.id));

/** The checks that an expectation names and that are still to come. */
export function stillToCome(ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !known.has(id));
}

/** What was said of a text in place of the right entry, or null where that came first. */
export function missedEntry({ text, check, notOurs }: { readonly text: string; readonly check?: string | null; readonly notOurs?: string }): string | null {
  const found = explain(text);
  const right = check ? found.matches[0]?.check === check : found.notOurs !== null && found.notOurs === (notOurs ?? found.notOurs);
  if (right) return null;
  const said = found.matches.map((match) => match.check).join(", ") || found.notOurs || "nothing";
  return `${said}, not ${check || notOurs}`;
}

/** What was said of a cluster in place of what was expected, or null where the verdict is right and nothing but the root causes breaks anything. */
export function missedRoot({ verdict, rootCauses, results }: Diagnosis, expected: NonNullable<FieldReport["expect"]>): string | null {
  const roots = rootCauses.map((root) => root.check);
  const worst = new Map(results.map((result) => [result.check.id, result.problems[0]?.severity]));
  const blamed = roots.filter((id) => (worst.get(id) === "blocker" || worst.get(id) === "degraded") && !expected.roots.includes(id));
  const first = expected.roots.length === 0 || roots[0] === expected.roots[0];
  const right = verdict === expected.verdict && first && expected.roots.every((id) => roots.includes(id)) && blamed.length === 0;
  return right ? null : `${verdict}: ${roots.join(", ") || "no root cause"}, not ${expected.verdict}: ${expected.roots.join(", ") || "no root cause"}`;
}
