"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { checkupQuery } from "@/lib/client/checkup-query.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill } from "@/lib/i18n/fill.ts";
import { DiagnosisSkeleton } from "./diagnosis-skeleton.tsx";
import { ExplainBox } from "./explain-box.tsx";
import { InstallLine } from "./install-line.tsx";
import { LiveBar } from "./live-bar.tsx";
import { ReportBody } from "./report-body.tsx";
import { Unreachable } from "./unreachable.tsx";

/** The diagnosis of a cluster, kept up to date while the checkup runs. */
export function Diagnosis({ cluster, error, t }: { cluster: string; error: string; t: ClusterTexts }) {
  const { data: view } = useSuspenseQuery(checkupQuery(cluster));
  const { report, problem, running } = view;
  const finished = report && !running ? fill(t.bar.finished, { verdict: t.common.verdict[report.verdict] }) : "";
  return (
    <>
      <LiveBar view={view} note={report ? <InstallLine installs={report.installs} t={t} /> : null} t={t}>
        <h1 className="font-medium text-ink">{t.bar.title}</h1>
      </LiveBar>
      <p role="status" className="sr-only">
        {finished}
      </p>
      {report && problem ? (
        <p role="alert" className="mb-5 rounded-lg border border-degraded bg-degraded-soft px-3.5 py-2.5 wrap-anywhere">
          <b className="font-semibold text-degraded">{t.bar.lastLookFailed}</b> {problem.message}
        </p>
      ) : null}
      {report ? (
        <ReportBody view={{ ...view, report }} t={t}>
          <ExplainBox cluster={cluster} initial={error} reported={report.reportedErrors.map((one) => one.text)} t={t} />
        </ReportBody>
      ) : problem && !running ? (
        <div className="grid gap-4">
          <Unreachable cluster={cluster} problem={problem} running={running} t={t} />
          <ExplainBox cluster={cluster} initial={error} reported={[]} t={t} />
        </div>
      ) : (
        <DiagnosisSkeleton label={t.empty.checking} />
      )}
    </>
  );
}
