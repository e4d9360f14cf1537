import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Tone } from "@/lib/client/tone.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { ReportCheck } from "@/lib/model/report.ts";
import { CheckRow } from "./check-row.tsx";

interface Props {
  readonly tone: Tone;
  readonly title: string;
  /** What the lines say, where that isn't plain. */
  readonly note?: string;
  readonly checks: readonly ReportCheck[];
  readonly href: (id: string) => string;
  readonly t: ClusterTexts;
}

/** Checks that ask nothing of anybody, behind their number. */
export function CheckFold({ tone, title, note, checks, href, t }: Props) {
  if (checks.length === 0) return null;
  const { show, hide } = t.diagnosis.list;
  return (
    <details className="group border-t border-line first:border-t-0">
      <summary className="flex items-center gap-3 px-4 py-2.5 text-muted -outline-offset-2 hover:bg-raised/60">
        <StatusIcon tone={tone} className="size-5" />
        <span className="flex-1">{title}</span>
        <span className="text-xs text-faint group-open:hidden">{show}</span>
        <span className="hidden text-xs text-faint group-open:inline">{hide}</span>
      </summary>
      {note ? <p className="border-t border-line px-4 py-2.5 text-sm text-muted">{note}</p> : null}
      <ul className="border-t border-line">
        {checks.map((check) => (
          <CheckRow key={check.id} check={check} href={href(check.id)} note={check.because} t={t.common} />
        ))}
      </ul>
    </details>
  );
}
