import type { Tone } from "@/lib/client/tone.ts";
import { StatusIcon } from "./status-icon.tsx";
import { toneColour } from "./tone-colour.ts";

/** A state as icon, word and colour, apart from the text around it. */
export function SeverityPill({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border border-current py-px pr-2.5 pl-1.5 text-xs font-medium whitespace-nowrap ${toneColour[tone]}`}
    >
      <StatusIcon tone={tone} className="size-3.5" />
      {word}
    </span>
  );
}
