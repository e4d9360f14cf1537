import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Tone } from "@/lib/client/tone.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { ReportCheck } from "@/lib/model/report.ts";
import { CheckRow } from "./check-row.tsx";

/** Checks that ask nothing of anybody, behind their number. */
export function CheckFold({
  tone,
  title,
  checks,
  href,
  t,
}: {
  tone: Tone;
  title: string;
  checks: readonly ReportCheck[];
  href: (id: string) => string;
  t: ClusterTexts;
}) {
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
      <ul className="border-t border-line">
        {checks.map((check) => (
          <CheckRow key={check.id} check={check} href={href(check.id)} note={check.because} t={t.common} />
        ))}
      </ul>
    </details>
  );
}
