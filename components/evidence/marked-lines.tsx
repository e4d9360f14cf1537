import { toneMark } from "@/components/ui/tone-mark.ts";
import type { Tone } from "@/lib/client/tone.ts";
import type { EvidenceView } from "@/lib/model/view.ts";

/** Lines of YAML or of a log, with so many around the marks as tell where one is. A mark is a bar, a colour and, for those who see neither, an element. */
export function MarkedLines({ lines, tone, around }: { lines: EvidenceView["lines"]; tone: Tone; around: number }) {
  const first = lines.findIndex((line) => line.marked);
  const last = lines.findLastIndex((line) => line.marked);
  const near = first < 0 ? lines : lines.slice(Math.max(0, first - around), last + around + 1);
  return (
    <pre className="border-t border-line bg-sunken py-2.5 font-mono text-xs leading-relaxed">
      {near.map((line, index) => {
        const look = "block border-l-2 pr-4 pl-[calc(0.875rem+2ch)] -indent-[2ch] wrap-anywhere whitespace-pre-wrap";
        const text = `${line.text}\n`;
        return line.marked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
          <mark key={index} className={`${look} ${toneMark[tone]}`}>
            {text}
          </mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={index} className={`${look} border-transparent text-muted`}>
            {text}
          </span>
        );
      })}
    </pre>
  );
}
