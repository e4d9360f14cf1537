import { toneColour } from "@/components/ui/tone-colour.ts";
import { errorGist, logGist } from "@/lib/client/error-gist.ts";
import type { Tone } from "@/lib/client/tone.ts";
import type { Evidence } from "@/lib/model/check.ts";

/** What was found, as `path: value`; for logs, events and answers the words themselves. */
export function EvidenceValue({ evidence, tone, absent }: { evidence: Evidence; tone: Tone; absent: string }) {
  const { path, value } = evidence;
  const speaksForItself = path === "metadata" || path === "answer" || path.startsWith("log/") || path.startsWith("event/");
  return (
    <>
      {speaksForItself ? null : `${path}: `}
      <span className={toneColour[tone]}>{value === null ? absent : value === "" ? '""' : gistOf(path, value)}</span>
    </>
  );
}

/** Messages wrap what happened in where it happened, and a row has little room. */
function gistOf(path: string, value: string): string {
  if (path.startsWith("log/")) return logGist(value);
  return /(?:^answer|^event\/.*|\.message)$/.test(path) ? errorGist(value, 160) : value;
}
