"use client";

import type { ReactNode } from "react";
import { Age } from "@/components/ui/age.tsx";
import { timeText } from "@/lib/client/age-text.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { CheckupView } from "@/lib/model/view.ts";
import { CheckAgainButton } from "./check-again-button.tsx";

interface Props {
  readonly view: CheckupView;
  readonly children: ReactNode;
  /** More about what is shown; on a narrow screen it stands below and scrolls away. */
  readonly note?: ReactNode;
  readonly t: ClusterTexts;
}

/** The bar that stays above a live page: where one is, how old what is shown is, and looking again. */
export function LiveBar({ view, children, note, t }: Props) {
  const { cluster, checkedAt, report, running } = view;
  return (
    <>
      <div className="sticky top-0 z-10 -mx-4 flex flex-wrap items-center gap-x-3 gap-y-2 bg-canvas px-4 py-3 text-muted wide:-mx-8 wide:mb-6 wide:px-8 wide:py-4">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          {children}
          {note ? <div className="max-wide:hidden">{note}</div> : null}
        </div>
        <div className="flex items-center gap-2 text-sm whitespace-nowrap">
          {running || checkedAt ? (
            <span aria-hidden="true" className={`size-1.75 rounded-full ${running ? "animate-breathe bg-info" : view.problem ? "bg-unknown" : "bg-passed"}`} />
          ) : null}
          {running ? <span className="text-info">{t.bar.checking}</span> : null}
          {checkedAt ? <Age at={checkedAt} text={t.bar.checked} locale={t.locale} /> : null}
          {cluster.kind === "snapshot" && report ? (
            <time dateTime={report.now} className="hidden text-faint roomy:inline" suppressHydrationWarning>
              · {fill(t.bar.snapshotOf, { time: timeText(report.now, t.locale) })}
            </time>
          ) : null}
        </div>
        <CheckAgainButton cluster={cluster.name} running={running} t={t.bar} />
      </div>
      <div className="mb-5 text-muted wide:hidden">{note}</div>
    </>
  );
}
