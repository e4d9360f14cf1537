import type { CheckStatus, Verdict } from "../model/report.ts";
import type { Locale } from "./locales.ts";

/** What a report says around the texts of the checks, for terminals and files. */
export interface ReportTexts {
  readonly verdicts: Readonly<Record<Verdict, string>>;
  readonly statuses: Readonly<Record<CheckStatus, string>>;
  readonly rootCause: string;
  readonly fix: string;
  readonly sure: string;
  readonly explains: string;
  readonly absent: string;
  readonly deletes: string;
  readonly changes: string;
  readonly undo: string;
  readonly youSaw: string;
  readonly explained: string;
  readonly knownError: string;
  readonly unknownError: string;
  readonly checks: string;
  readonly causedBy: string;
  readonly causes: string;
  readonly notToWorry: string;
  readonly errorTexts: string;
  readonly exampleFix: string;
  readonly otherWebhook: (webhook: string) => string;
  readonly nothingNamed: string;
  readonly traffic: (requests: number, kib: number, ms: number) => string;
}

const en: ReportTexts = {
  verdicts: {
    healthy: "cert-manager is healthy.",
    settling: "cert-manager was just installed and is still starting.",
    degraded: "cert-manager works, with faults.",
    broken: "cert-manager is broken.",
    "not-installed": "cert-manager is not installed.",
    unknown: "It can't be said whether cert-manager works: too much could not be read.",
  },
  statuses: {
    fail: "failing",
    settling: "settling",
    pending: "still being asked",
    unknown: "could not look",
    pass: "passed",
    "not-applicable": "not applicable",
  },
  rootCause: "Root cause",
  fix: "Fix",
  sure: "Why we are sure:",
  explains: "Explains",
  absent: "absent",
  deletes: "Deletes data:",
  changes: "Changes the cluster:",
  undo: "Undo:",
  youSaw: "You saw",
  explained: "explained",
  knownError: "known, but not failing now",
  unknownError: "not one that is known",
  checks: "Checks",
  causedBy: "Caused by",
  causes: "Causes",
  notToWorry: "When not to worry",
  errorTexts: "Error texts",
  exampleFix: "Fix, for an example install",
  otherWebhook: (webhook) => `This is about another webhook, "${webhook}", and not cert-manager's.`,
  nothingNamed: "No known failure mode of a cert-manager install is named in this text.",
  traffic: (requests, kib, ms) => `${requests} requests, ${kib} KiB, ${ms} ms`,
};

const dictionaries: Readonly<Record<Locale, ReportTexts>> = { en };

export function reportTexts(locale: Locale): ReportTexts {
  return dictionaries[locale];
}
