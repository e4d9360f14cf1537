import type { ReactNode } from "react";
import { Checklist } from "@/components/checklist/checklist.tsx";
import { PanelBoundary } from "@/components/ui/panel-boundary.tsx";
import { checklistOf } from "@/lib/client/checklist.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { Report } from "@/lib/model/report.ts";
import type { CheckupView } from "@/lib/model/view.ts";
import { Counts } from "./counts.tsx";
import { NotAllowed } from "./not-allowed.tsx";
import { NotInstalled } from "./not-installed.tsx";
import { ReportedErrors } from "./reported-errors.tsx";
import { RootCauseCard } from "./root-cause-card.tsx";
import { SettlingTimeline } from "./settling-timeline.tsx";
import { Verdict } from "./verdict.tsx";

/** Root causes with a card of their own; the list below names all. */
const cards = 3;
/** From so many facts on it is the permissions that are broken, not a detail. */
const manyForbidden = 3;

/** What a report says: the verdict, its causes, `children` for what people ask besides, and every check. */
export function ReportBody({ view, children, t }: { view: CheckupView & { readonly report: Report }; children: ReactNode; t: ClusterTexts }) {
  const { report, cluster } = view;
  const list = checklistOf(report);
  const href = (id: string) => `/c/${cluster.name}/findings/${id}`;
  const forbidden = report.gathering.missing.filter((missing) => missing.reason === "forbidden" || missing.reason === "unauthorized");
  const blind = list.roots.length === 0 && forbidden.length >= manyForbidden;
  const panel = { text: t.common.panelFailed, retry: t.common.tryAgain };
  return (
    <>
      <Verdict report={report} list={list} t={t} />
      <Counts list={list} t={t} />
      <PanelBoundary {...panel}>
        {report.verdict === "settling" ? <SettlingTimeline report={report} snapshot={cluster.kind === "snapshot"} t={t} /> : null}
        <div className="mb-4 grid gap-4 empty:hidden">
          {report.verdict === "not-installed" ? <NotInstalled report={report} href={href} t={t} /> : null}
          {blind ? <NotAllowed missing={forbidden} t={t} /> : null}
        </div>
        {list.roots.slice(0, cards).map((root) => (
          <RootCauseCard key={root.check.id} root={root} report={report} href={href} t={t} />
        ))}
        {list.roots.length > cards ? (
          <p className="mb-4 px-1 text-sm text-muted">{plural(t.diagnosis.moreRoots, list.roots.length - cards, t.locale)}</p>
        ) : null}
      </PanelBoundary>
      <PanelBoundary {...panel}>
        <ReportedErrors cluster={cluster.name} report={report} added={view.reported} href={href} t={t} />
        {children}
      </PanelBoundary>
      <PanelBoundary {...panel}>
        <Checklist list={list} missing={blind ? [] : forbidden} href={href} t={t} />
      </PanelBoundary>
    </>
  );
}
