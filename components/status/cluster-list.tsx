"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { SeverityPill } from "@/components/ui/severity-pill.tsx";
import { statusQuery } from "@/lib/client/status-query.ts";
import { verdictTones } from "@/lib/client/tone.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ClusterView } from "@/lib/model/view.ts";

/** The clusters of this dashboard, each with its verdict. */
export function ClusterList({ clusters, label, t }: { clusters: readonly ClusterView[]; label: string; t: Ui["common"] }) {
  const { data } = useSuspenseQuery(statusQuery());
  return (
    <ul aria-label={label} className="overflow-hidden rounded-xl border border-line bg-surface">
      {clusters.map((cluster) => {
        const verdict = data.clusters.find((one) => one.name === cluster.name)?.verdict ?? "checking";
        return (
          <li key={cluster.name} className="border-t border-line first:border-t-0">
            <Link
              data-row=""
              href={`/c/${cluster.name}`}
              prefetch={false}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-3.5 -outline-offset-2 hover:bg-raised/60 wide:px-5"
            >
              <span className="min-w-0">
                <span className="block font-medium">{cluster.title}</span>
                {cluster.description ? <span className="block text-sm text-muted">{cluster.description}</span> : null}
              </span>
              <SeverityPill tone={verdictTones[verdict]} word={t.verdict[verdict]} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
