import type { Tone } from "@/lib/client/tone.ts";
import { Icon, type IconName } from "./icon.tsx";
import { toneColour } from "./tone-colour.ts";

const icons: Readonly<Record<Tone, IconName>> = {
  blocker: "octagon",
  degraded: "triangle",
  warning: "triangle",
  info: "info",
  passed: "tick",
  settling: "turning",
  pending: "waiting",
  unknown: "question",
  "not-applicable": "dash",
};

/** The icon of a state, in its colour. Give `word` where no word for it stands beside it. */
export function StatusIcon({ tone, word, className = "size-5" }: { tone: Tone; word?: string; className?: string }) {
  return (
    <span className={`flex-none ${toneColour[tone]}`}>
      <Icon name={icons[tone]} className={`block ${className} ${tone === "settling" ? "animate-turn" : ""}`} />
      {word ? <span className="sr-only">{word}: </span> : null}
    </span>
  );
}
