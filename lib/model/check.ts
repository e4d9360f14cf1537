import type { FactKey, Known, Maybe } from "./facts.ts";
import type { FixStep } from "./fix.ts";
import type { ObjectRef } from "./object-ref.ts";
import type { Text } from "./text.ts";

/** The layers of an install, lowest first: a lower layer's failure explains those above it (catalogue 0.2). */
export const areas = [
  "discovery",
  "version-skew",
  "platform",
  "air-gap",
  "images",
  "pods",
  "crds",
  "helm-ownership",
  "cainjector",
  "ca-bundle",
  "webhook-registration",
  "webhook-reachability",
  "controller",
  "api-probe",
  "issuance",
  "cleanup",
] as const;
export type Area = (typeof areas)[number];

/** How bad a problem is if true, worst first. */
export const severities = ["blocker", "degraded", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

export type Component = "controller" | "webhook" | "cainjector";

/**
 * Something that can be looked at: a field of an object (`path` as kubectl's JSONPath without the leading dot), a log
 * line (`log/<container>`), an event (`event/<reason>`) or an answer of the API server (`answer`). `value` is what
 * was found there; an absent object has the path `metadata` and the value null.
 */
export interface Evidence {
  readonly object: ObjectRef;
  readonly path: string;
  readonly value: string | null;
}

export interface Problem<S extends string = string> extends Text<S> {
  readonly severity: Severity;
  readonly subject: ObjectRef;
  /** The component that is hit; absent where the problem is about all of them. */
  readonly component?: Component;
  /** The namespace of the install that is hit; absent where the problem is about the whole cluster. */
  readonly install?: string;
  /** True for states that are normal in an install's first minutes (catalogue 0.3); the runner decides on `settling`. */
  readonly transient?: boolean;
  readonly evidence: readonly Evidence[];
  readonly fix: readonly FixStep<S>[];
}

export type Outcome<S extends string = string> =
  | { readonly status: "pass" }
  | { readonly status: "not-applicable"; readonly because: Text<S> }
  /** In this state a fact that is otherwise only used is needed; the runner says why it isn't known. */
  | { readonly status: "needs"; readonly fact: FactKey }
  | {
      readonly status: "fail";
      readonly problems: readonly Problem<S>[];
      /** Said instead of `headline` where that would say too much, such as for a state that is milder than the worst. */
      readonly headline?: Text<S>;
      /** Why we are sure. */
      readonly because?: readonly Text<S>[];
      /** Look-alikes, and what rules them out. */
      readonly ruledOut?: readonly ({ readonly check: string } & Text<S>)[];
    };

/** How long states stay normal, in milliseconds; passed in beside the clock so that tests can shorten them. */
export interface Windows {
  /** From the youngest object of a new install (catalogue 0.3: escalate after 180 s). */
  readonly settling: number;
  /** From the last renewal by a holder that was killed (lease duration 60 s). */
  readonly lease: number;
}

export const defaultWindows: Windows = { settling: 180_000, lease: 60_000 };

/**
 * A text that names a failure mode, and where it counts: `webhook-call` in what follows `failed calling webhook "…cert-manager…":`,
 * `image-pull` in a kubelet's pull error, `refusal` where somebody else's admission webhook denies cert-manager's own pods or Deployments,
 * `anywhere` in any other text. Patterns of different checks must not match the same text.
 */
export interface Pattern {
  readonly in: "webhook-call" | "image-pull" | "refusal" | "anywhere";
  readonly text: RegExp;
}

/** A user-visible text in English: ICU MessageFormat, with `code` in backticks; a note tells translators what they can't see. */
export type Message = string | { readonly text: string; readonly note: string };

type RequiredString = "title" | "headline" | "why";

/** One failure mode. See lib/checks/README.md. */
export interface Check<N extends FactKey = FactKey, U extends FactKey = FactKey, S extends string = string> {
  /** Kebab-case noun of the failing state: the file's name and the catalogue's id, for ever. */
  readonly id: string;
  readonly area: Area;
  /** The worst that a problem of this check can be. */
  readonly severity: Severity;
  /** Facts without which it can't judge. */
  readonly needs: readonly N[];
  /** Facts that can sharpen a failure, and never make it pass. */
  readonly uses: readonly U[];
  /** Checks whose failure explains this one. */
  readonly causedBy: readonly string[];
  /** Error texts that name this failure mode (catalogue 0.5). */
  readonly patterns?: readonly Pattern[];
  /** Where the knowledge comes from: catalogue entry, documents, issues. */
  readonly sources: readonly string[];
  readonly strings: Readonly<Record<S, Message>> & Readonly<Record<RequiredString, Message>> & { readonly ignore?: Message };
  /** Pure. Absent where no cluster state can prove the entry. */
  run?(facts: Known<N> & Maybe<U>, now: Date, windows: Windows): Outcome<S>;
}

/** Gives a check its types: reading an undeclared fact or naming an unknown text doesn't compile. */
export function defineCheck<const N extends FactKey, const U extends FactKey, const S extends string>(
  check: Omit<Check<N, U, S>, "run"> & { run?(facts: Known<N> & Maybe<U>, now: Date, windows: Windows): Outcome<NoInfer<S> | RequiredString> },
): Check {
  return check as unknown as Check;
}
