import type { DigestedEvidence } from "@/lib/client/evidence-digest.ts";
import type { Tone } from "@/lib/client/tone.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { EvidenceSource } from "./evidence-source.tsx";
import { EvidenceValue } from "./evidence-value.tsx";

interface Props {
  readonly rows: readonly DigestedEvidence[];
  readonly tone: Tone;
  readonly locale: string;
  readonly t: Pick<Ui, "common" | "finding">;
}

/** Evidence in short: where, and what. Side by side where there is room for both. */
export function EvidenceRows({ rows, tone, locale, t }: Props) {
  return (
    <div className="@container">
      <dl className="grid gap-x-4 gap-y-1.5 font-mono text-xs leading-relaxed @min-[44rem]:grid-cols-[fit-content(31em)_minmax(0,1fr)]">
        {rows.map(({ evidence, others }) => (
          <div key={JSON.stringify(evidence)} className="@min-[44rem]:contents">
            <dt className="text-faint wrap-anywhere">
              <EvidenceSource evidence={evidence} t={t.finding} />
              {others > 0 ? ` ${plural(t.finding.otherObjects, others, locale)}` : null}
            </dt>
            <dd className="line-clamp-3 min-w-0 wrap-anywhere">
              <EvidenceValue evidence={evidence} tone={tone} absent={t.common.absent} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
