"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { LiveBar } from "@/components/diagnosis/live-bar.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { checkupQuery } from "@/lib/client/checkup-query.ts";
import { findingQuery } from "@/lib/client/finding-query.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { FindingAside } from "./finding-aside.tsx";
import { FindingBody } from "./finding-body.tsx";
import { FindingHead } from "./finding-head.tsx";

/** One check of a cluster: what was found, how it is repaired, and why that is believed. */
export function Finding({ cluster, id, t }: { cluster: string; id: string; t: ClusterTexts }) {
  const { data: checkup } = useSuspenseQuery(checkupQuery(cluster));
  const { data: view } = useSuspenseQuery(findingQuery(cluster, id));
  // A check that failed when the page was opened and passes now was repaired by the reader.
  const [opened] = useState(view?.check.status);
  const home = `/c/${cluster}`;
  return (
    <>
      <LiveBar view={view ? { ...checkup, running: view.running || checkup.running, checkedAt: view.checkedAt } : checkup} t={t}>
        <nav aria-label={t.finding.titleOf} className="min-w-0">
          <Link href={home} data-hotkey="Escape" prefetch={false} className="hover:text-ink hover:underline">
            {t.bar.title}
          </Link>
          <span aria-hidden="true" className="max-wide:hidden">
            {" / "}
          </span>
          <span aria-current="page" className="font-medium text-ink wrap-anywhere max-wide:hidden">
            {id}
          </span>
        </nav>
      </LiveBar>
      {view ? (
        <>
          <FindingHead check={view.check} t={t} />
          <div className="grid gap-x-7 gap-y-8 roomy:grid-cols-[minmax(0,1fr)_17.5rem]">
            <FindingBody
              view={view}
              running={view.running || checkup.running}
              fixed={opened === "fail" && view.check.status === "pass"}
              installs={checkup.report?.installs ?? []}
              t={t}
            />
            <FindingAside view={view} href={(other) => `${home}/findings/${other}`} t={t} />
          </div>
        </>
      ) : (
        <>
          <h1 className="sr-only">{id}</h1>
          <EmptyState tone="unknown" title={t.finding.unknownCheck}>
            <p>{checkup.problem?.message ?? t.finding.noReport}</p>
            <p>
              <Link href={home} className="text-ink underline">
                {t.finding.toDiagnosis}
              </Link>
            </p>
          </EmptyState>
        </>
      )}
    </>
  );
}
