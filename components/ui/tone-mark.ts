import type { Tone } from "@/lib/client/tone.ts";

const calm = "border-info bg-info-soft text-info";

/** The look of a marked line, as bad as what it proves: nothing is red that is no blocker. */
export const toneMark: Readonly<Record<Tone, string>> = {
  blocker: "border-blocker bg-blocker-soft text-blocker",
  degraded: "border-degraded bg-degraded-soft text-degraded",
  warning: "border-warning bg-warning-soft text-warning",
  info: calm,
  passed: calm,
  settling: calm,
  pending: calm,
  unknown: calm,
  "not-applicable": calm,
};
