import type { Evidence, Severity } from "./check.ts";
import type { MissingReason, Rule } from "./facts.ts";
import type { CheckStatus, Report, ReportCheck, ReportProblem, Verdict } from "./report.ts";

/** A cluster that the dashboard can show. */
export interface ClusterView {
  /** As in addresses. */
  readonly name: string;
  readonly title: string;
  /** One sentence about a demo cluster; empty for others. */
  readonly description: string;
  readonly kind: "live" | "in-cluster" | "snapshot";
  /** True for the demo clusters that ship with the product. */
  readonly demo: boolean;
}

/** Why there is no report at all. */
export interface CheckupProblem {
  readonly reason: MissingReason | "input";
  /** A sentence that says what to do. */
  readonly message: string;
}

/** The state of a cluster's checkup, as the browser holds it. */
export interface CheckupView {
  readonly cluster: ClusterView;
  readonly running: boolean;
  /** RFC 3339, by the server's clock: when the report was made; null before the first. */
  readonly checkedAt: string | null;
  readonly report: Report | null;
  readonly problem: CheckupProblem | null;
  /** Those of the reported errors that people added here, and may take out again. */
  readonly reported: readonly string[];
}

export interface CheckLink {
  readonly id: string;
  readonly title: string;
}

/** A piece of what was looked at, with the lines that matter marked. */
export interface EvidenceView extends Evidence {
  /** `Kind/namespace/name`. */
  readonly of: string;
  readonly lines: readonly { readonly text: string; readonly marked: boolean }[];
}

/** One check's finding with everything that its page shows. */
export interface FindingView {
  readonly cluster: ClusterView;
  readonly running: boolean;
  readonly checkedAt: string | null;
  readonly final: boolean;
  readonly check: ReportCheck;
  /** In the order of `check.problems`. */
  readonly problems: readonly (ReportProblem & { readonly evidenceViews: readonly EvidenceView[] })[];
  readonly causes: readonly CheckLink[];
  readonly effects: readonly CheckLink[];
  readonly ruledOut: readonly (CheckLink & { readonly because: string })[];
  readonly sources: readonly string[];
  /** RBAC rules that would let an unknown check see. */
  readonly missingRules: readonly Rule[];
}

export interface DetailRow {
  readonly label: string;
  readonly value: string;
}

/** A failure mode that a pasted text names. */
export interface ExplainedCheck extends CheckLink {
  readonly why: string;
  readonly severity: Severity;
  /** What the errors say of the things that they are about. */
  readonly details: readonly DetailRow[];
  /** The errors that name it, each with the words that do. */
  readonly saw: readonly { readonly text: string; readonly words: string; readonly times: number }[];
  /** How it is in the cluster beside which it was pasted: the check's status, null where no look can show it, and the root that accounts for it. */
  readonly here: { readonly status: CheckStatus | null; readonly root: CheckLink | null } | null;
}

/** What a pasted error text means. */
export interface ExplainView {
  /** Best first. */
  readonly matches: readonly ExplainedCheck[];
  /** Errors about webhooks of other products. */
  readonly others: readonly { readonly text: string; readonly webhook: string; readonly product: string | null }[];
  /** What reads like an error and names nothing that is known. */
  readonly unknown: readonly string[];
}

/** The catalogue's page of one check. */
export interface CatalogueEntry {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly ignore: string;
  readonly area: string;
  readonly severity: string;
  /** Error texts, as regular expressions. */
  readonly patterns: readonly string[];
  readonly needs: readonly string[];
  readonly uses: readonly string[];
  readonly causes: readonly CheckLink[];
  readonly effects: readonly CheckLink[];
  readonly sources: readonly string[];
  readonly rules: readonly Rule[];
  /** What the check really reports for the first failing case of its fixture. */
  readonly example: { readonly case: string; readonly problems: readonly ReportProblem[] } | null;
}

/** What anyone may see (security.md 4): no object, no command, no name from the cluster but its own. */
export interface StatusView {
  readonly clusters: readonly {
    /** As in addresses. */
    readonly name: string;
    readonly title: string;
    readonly verdict: Verdict | "unreachable" | "checking";
    /** RFC 3339: since when the verdict is what it is, as far as this server has seen. */
    readonly since: string | null;
    readonly asOf: string | null;
    readonly rootCauses: readonly { readonly title: string; readonly severity: string }[];
  }[];
}
