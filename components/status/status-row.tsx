import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { toneColour } from "@/components/ui/tone-colour.ts";
import { timeText } from "@/lib/client/age-text.ts";
import { verdictTones } from "@/lib/client/tone.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Severity } from "@/lib/model/check.ts";
import type { StatusView } from "@/lib/model/view.ts";

type Cluster = StatusView["clusters"][number];

/** One cluster: a word, since when, as of when, and what is open. */
export function StatusRow({ cluster, locale, t }: { cluster: Cluster; locale: string; t: Pick<Ui, "common" | "status"> }) {
  const tone = verdictTones[cluster.verdict];
  const time = (at: string, text: string) => (
    <time dateTime={at} suppressHydrationWarning>
      {fill(text, { time: timeText(at, locale) })}
    </time>
  );
  return (
    <li className="border-t border-line px-4 py-4 first:border-t-0 wide:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="font-medium wrap-anywhere">{cluster.title}</h2>
        <p className={`flex items-center gap-1.5 font-medium ${toneColour[tone]}`}>
          <StatusIcon tone={tone} className="size-4.5" />
          {t.common.verdict[cluster.verdict]}
        </p>
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-faint">
        <span>{cluster.asOf ? time(cluster.asOf, t.status.asOf) : t.status.notYet}</span>
        {cluster.since ? <span>{time(cluster.since, t.status.since)}</span> : null}
      </p>
      {cluster.rootCauses.length > 0 ? (
        <ul aria-label={t.status.open} className="mt-3 grid gap-1.5 text-sm">
          {cluster.rootCauses.map((cause) => (
            <li key={cause.title} className="flex gap-2">
              <StatusIcon tone={cause.severity as Severity} className="mt-0.5 size-4" />
              <span className="min-w-0">
                <RichText text={cause.title} />
                <span className={`ml-2 text-xs ${toneColour[cause.severity as Severity]}`}>{t.common.severity[cause.severity as Severity]}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
