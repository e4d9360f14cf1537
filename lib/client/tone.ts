import type { Severity } from "../model/check.ts";
import type { CheckStatus } from "../model/report.ts";
import type { StatusView } from "../model/view.ts";

/** How a state looks: one icon and one colour each (design/ui.md). */
export type Tone = Severity | "passed" | "settling" | "pending" | "unknown" | "not-applicable";

const ofStatus: Readonly<Record<Exclude<CheckStatus, "fail">, Tone>> = {
  pass: "passed",
  settling: "settling",
  pending: "pending",
  unknown: "unknown",
  "not-applicable": "not-applicable",
};

/** A failing check looks as bad as its worst problem, any other like its status. */
export function toneOf(check: { readonly status: CheckStatus; readonly severity: Severity }): Tone {
  return check.status === "fail" ? check.severity : ofStatus[check.status];
}

export const verdictTones: Readonly<Record<StatusView["clusters"][number]["verdict"], Tone>> = {
  healthy: "passed",
  settling: "settling",
  degraded: "degraded",
  broken: "blocker",
  "not-installed": "not-applicable",
  unknown: "unknown",
  unreachable: "unknown",
  checking: "pending",
};
