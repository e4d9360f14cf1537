"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { HeadlineText } from "@/components/ui/headline-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { statusQuery } from "@/lib/client/status-query.ts";
import { type Tone, verdictTones } from "@/lib/client/tone.ts";
import { fill, pluralForm } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { StatusView } from "@/lib/model/view.ts";
import { StatusRow } from "./status-row.tsx";

interface Props {
  readonly locale: string;
  readonly t: Pick<Ui, "common" | "status">;
}

/** All clusters in a word each, for people who may look and nothing more. */
export function StatusBoard({ locale, t }: Props) {
  const { data, isError } = useSuspenseQuery(statusQuery());
  const overall = overallOf(data, t.status, locale);
  return (
    <>
      <div role="status">
        <h1 className="mb-6 flex items-start gap-3 text-xl leading-tight font-semibold tracking-tight text-balance wide:text-2xl">
          <StatusIcon tone={overall.tone} className="mt-[0.06em] size-[1.15em]" />
          <HeadlineText text={overall.text} tone={overall.tone} />
        </h1>
      </div>
      {isError ? (
        <p role="alert" className="mb-4 rounded-lg border border-degraded bg-degraded-soft px-3.5 py-2.5">
          {t.status.stale}
        </p>
      ) : null}
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">
        {data.clusters.map((cluster) => (
          <StatusRow key={cluster.name} cluster={cluster} locale={locale} t={t} />
        ))}
      </ul>
    </>
  );
}

/** From the calmest to what needs somebody most. */
const byUrgency = ["healthy", "not-installed", "settling", "checking", "unknown", "unreachable", "degraded", "broken"] as const;
const calm: readonly string[] = ["healthy", "not-installed", "settling", "checking"];

function overallOf({ clusters }: StatusView, t: Ui["status"], locale: string): { readonly text: string; readonly tone: Tone } {
  const worst = byUrgency.findLast((verdict) => clusters.some((cluster) => cluster.verdict === verdict)) ?? "unknown";
  const tone = verdictTones[worst];
  if (clusters.length < 2) return { text: t.all[worst], tone };
  const troubled = clusters.filter((cluster) => !calm.includes(cluster.verdict)).length;
  if (troubled > 0) return { text: fill(pluralForm(t.several, troubled, locale), { n: troubled, all: clusters.length }), tone };
  return worst === "healthy" ? { text: t.allHealthy, tone } : { text: t.all[worst], tone };
}
