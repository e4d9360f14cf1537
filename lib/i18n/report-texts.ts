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
  readonly explainedBy: (root: string) => string;
  readonly otherProduct: (product: string) => string;
  readonly notExplained: (likely: string) => string;
  readonly unknownError: string;
  readonly checks: string;
  readonly causedBy: string;
  readonly causes: string;
  readonly notToWorry: string;
  readonly errorTexts: string;
  readonly exampleFix: string;
  readonly otherWebhook: (webhook: string, product: string | null) => string;
  readonly readFromIt: string;
  readonly namedBy: string;
  /** What an error can say of the things that it is about. */
  readonly details: Readonly<Record<string, string>>;
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
  explainedBy: (root) => `Accounted for by: ${root}`,
  otherProduct: (product) => `Not cert-manager's: it comes from ${product}.`,
  notExplained: (likely) => `Not explained by what this cluster shows. Most likely: ${likely}`,
  unknownError: "It names no failure mode that is known.",
  checks: "Checks",
  causedBy: "Caused by",
  causes: "Causes",
  notToWorry: "When not to worry",
  errorTexts: "Error texts",
  exampleFix: "Fix, for an example install",
  otherWebhook: (webhook, product) => `This is about another webhook, "${webhook}"${product ? ` of ${product}` : ""}, and not cert-manager's.`,
  readFromIt: "Read from it",
  namedBy: "Named by",
  details: {
    webhook: "webhook",
    service: "Service",
    namespace: "namespace",
    path: "path",
    timeoutSeconds: "time limit",
    address: "address",
    host: "host",
    image: "image",
    registry: "registry",
    release: "release",
    user: "account",
    kind: "kind",
    resource: "resource",
    name: "object",
    field: "field",
    secret: "Secret",
  },
  nothingNamed: "No known failure mode of a cert-manager install is named in this text.",
  traffic: (requests, kib, ms) => `${requests} requests, ${kib} KiB, ${ms} ms`,
};

const dictionaries: Readonly<Record<Locale, ReportTexts>> = { en };

export function reportTexts(locale: Locale): ReportTexts {
  return dictionaries[locale];
}
