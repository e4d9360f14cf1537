import type { Tone } from "@/lib/client/tone.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { EvidenceView } from "@/lib/model/view.ts";
import { EvidenceValue } from "./evidence-value.tsx";
import { MarkedLines } from "./marked-lines.tsx";

/** One thing that was looked at: the object, the place in it, and its lines with those marked that matter. */
export function EvidenceCard({ view, tone, t }: { view: EvidenceView; tone: Tone; t: Pick<Ui, "common" | "finding"> }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 font-mono text-xs leading-relaxed">
        <p className="min-w-0 wrap-anywhere">{view.of}</p>
        <p className="min-w-0 text-muted wrap-anywhere">
          {view.lines.length > 0 ? place(view.path, t.finding) : <EvidenceValue evidence={view} tone={tone} absent={t.common.absent} />}
        </p>
      </div>
      {view.lines.length > 0 ? <MarkedLines lines={view.lines} tone={tone} around={view.path.startsWith("log/") ? 1 : 4} /> : null}
    </li>
  );
}

function place(path: string, t: Ui["finding"]): string {
  const name = path.slice(path.indexOf("/") + 1);
  if (path.startsWith("log/")) return fill(t.log, { name });
  if (path.startsWith("event/")) return fill(t.event, { name });
  return path === "answer" ? t.answer : path;
}
