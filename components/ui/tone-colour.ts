import type { Tone } from "@/lib/client/tone.ts";

/** The text colour of a state. Whole class names, so that Tailwind finds them. */
export const toneColour: Readonly<Record<Tone, string>> = {
  blocker: "text-blocker",
  degraded: "text-degraded",
  warning: "text-warning",
  info: "text-info",
  passed: "text-passed",
  settling: "text-info",
  pending: "text-unknown",
  unknown: "text-unknown",
  "not-applicable": "text-unknown",
};
