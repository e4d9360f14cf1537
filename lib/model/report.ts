import type { Area, Evidence, Severity } from "./check.ts";
import type { FactKey, MissingReason, Rule } from "./facts.ts";
import type { FixEffect, FixTool } from "./fix.ts";
import type { ObjectRef } from "./object-ref.ts";
import type { Values } from "./text.ts";

export type Verdict = "healthy" | "settling" | "degraded" | "broken" | "not-installed" | "unknown";
export type CheckStatus = "fail" | "pass" | "settling" | "pending" | "unknown" | "not-applicable";
export type InstallMethod = "helm" | "static" | "olm" | "unknown";

export interface InstallSummary {
  readonly namespace: string;
  readonly release: string;
  readonly method: InstallMethod;
  /** `vX.Y.Z`, or the empty string where nothing tells. */
  readonly version: string;
}

export interface ReportFix {
  readonly title: string;
  readonly for: FixTool;
  readonly command: string;
  readonly effect: FixEffect;
  readonly changes: string;
  readonly undo: string;
  /** True where this is done instead of the steps before it, not after them. */
  readonly instead: boolean;
}

export interface ReportProblem {
  readonly key: string;
  readonly values: Values;
  readonly text: string;
  readonly severity: Severity;
  readonly subject: ObjectRef;
  readonly evidence: readonly Evidence[];
  readonly fix: readonly ReportFix[];
}

export interface ReportCheck {
  readonly id: string;
  readonly area: Area;
  readonly severity: Severity;
  readonly status: CheckStatus;
  readonly title: string;
  /** The verdict as one sentence, the consequence between asterisks. */
  readonly headline: string;
  readonly why: string;
  /** Why we are sure, why it is unknown, or why it doesn't apply; empty for a plain pass. */
  readonly because: string;
  readonly ruledOut: readonly { readonly check: string; readonly because: string }[];
  /** True while pods of a broken install are starting again. */
  readonly recovering: boolean;
  readonly problems: readonly ReportProblem[];
}

export interface RootCause {
  readonly check: string;
  /** The failing checks that it explains, nearest first. */
  readonly explains: readonly string[];
  /** The way from it to the consequence that is seen last, each the cause of the next; part of `explains`. */
  readonly chain: readonly string[];
}

export interface MissingFact {
  readonly fact: FactKey;
  readonly reason: MissingReason;
  readonly detail: string;
  readonly rule?: Rule;
}

/** An error that somebody saw, and whether the diagnosis accounts for it. */
export interface ReportedError {
  readonly text: string;
  /** The failure modes that it names, best first. */
  readonly checks: readonly string[];
  readonly explained: boolean;
  /** The root cause that accounts for it, or null. */
  readonly by: string | null;
  /** The product or the webhook that it is about, where that isn't cert-manager. */
  readonly notOurs: string | null;
}

/** The versioned JSON that other programs read (contract.md). Fields may be added, never changed. */
export interface Report {
  readonly schemaVersion: 1;
  readonly final: boolean;
  readonly verdict: Verdict;
  readonly cluster: { readonly name: string; readonly kubernetesVersion: string };
  /** RFC 3339: the cluster's time, or the snapshot's. */
  readonly now: string;
  readonly installs: readonly InstallSummary[];
  readonly rootCauses: readonly RootCause[];
  readonly checks: readonly ReportCheck[];
  readonly reportedErrors: readonly ReportedError[];
  readonly gathering: {
    readonly requests: number;
    readonly bytes: number;
    readonly durationMs: number;
    readonly missing: readonly MissingFact[];
  };
}
