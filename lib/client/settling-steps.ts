import type { Area } from "../model/check.ts";
import type { ReportCheck } from "../model/report.ts";

export const settlingSteps = ["pods", "lease", "bundle", "probe"] as const;
export type SettlingStep = (typeof settlingSteps)[number];

/** The areas whose checks say whether a step has been taken. */
const areasOf: Readonly<Record<SettlingStep, readonly Area[]>> = {
  pods: ["images", "pods", "air-gap", "webhook-reachability"],
  lease: ["cainjector"],
  bundle: ["ca-bundle", "webhook-registration"],
  probe: ["api-probe"],
};

export type StepState = "done" | "now" | "later";

/** How far a new install has come: each step waits for those before it. */
export function settlingProgress(
  checks: readonly Pick<ReportCheck, "area" | "status">[],
): readonly { readonly step: SettlingStep; readonly state: StepState }[] {
  let waiting = false;
  return settlingSteps.map((step) => {
    const open = checks.some(
      (check) => areasOf[step].includes(check.area) && (check.status === "settling" || check.status === "fail" || check.status === "pending"),
    );
    // Of an install that still settles the last step is never done, even where no check says so.
    const done = !open && !waiting && step !== "probe";
    const state = done ? "done" : waiting ? "later" : "now";
    waiting ||= !done;
    return { step, state };
  });
}
