import type { Tone } from "@/lib/client/tone.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { EvidenceView } from "@/lib/model/view.ts";
import { EvidenceCard } from "./evidence-card.tsx";

/** How much is open from the start: more of the same convinces nobody further. */
const open = 3;

interface Props {
  readonly views: readonly EvidenceView[];
  readonly tone: Tone;
  readonly locale: string;
  readonly t: Pick<Ui, "common" | "finding">;
}

/** What was seen of one problem, the first pieces open. */
export function EvidenceList({ views, tone, locale, t }: Props) {
  const cards = (of: readonly EvidenceView[]) => (
    <ul className="border-t border-line">
      {of.map((view) => (
        <EvidenceCard key={`${view.of} ${view.path} ${view.value}`} view={view} tone={tone} t={t} />
      ))}
    </ul>
  );
  // A single one more is shorter than the line that would hide it.
  const shown = views.length === open + 1 ? views.length : open;
  const more = views.length - shown;
  return (
    <>
      {cards(views.slice(0, shown))}
      {more > 0 ? (
        <details>
          <summary className="border-t border-line px-4 py-2.5 text-sm text-muted -outline-offset-2 hover:bg-raised/60">
            {plural(t.finding.moreEvidence, more, locale)}
          </summary>
          {cards(views.slice(shown))}
        </details>
      ) : null}
    </>
  );
}
