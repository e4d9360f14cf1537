"use client";

import { type KeyboardEvent, useId, useState } from "react";
import type { FixWay } from "@/lib/client/fix-plans.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { FixRun } from "./fix-run.tsx";

/** The ways to do a step, as tabs where there are several; the one that fits this install is open. */
export function FixWays({ ways, t }: { ways: readonly FixWay[]; t: Pick<Ui, "common" | "finding"> }) {
  const [open, setOpen] = useState(0);
  const id = useId();
  const runs = (way: FixWay) => (
    <div className="grid gap-3">
      {way.runs.map((run) => (
        <FixRun key={run.commands.join("\n")} run={run} t={t} />
      ))}
    </div>
  );
  const [only] = ways;
  if (ways.length < 2) return only ? runs(only) : null;

  function move(event: KeyboardEvent<HTMLDivElement>) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (open + step + ways.length) % ways.length;
    setOpen(next);
    (event.currentTarget.children[next] as HTMLElement).focus();
  }

  return (
    <>
      <div role="tablist" tabIndex={-1} aria-label={t.finding.ways} onKeyDown={move} className="mb-2 flex gap-3.5 overflow-x-auto px-px pt-px text-sm">
        {ways.map((way, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: two ways may use the same tool
            key={index}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === open}
            tabIndex={index === open ? 0 : -1}
            onClick={() => setOpen(index)}
            className="border-b-2 border-transparent pb-0.5 whitespace-nowrap text-faint hover:text-ink aria-selected:border-ink aria-selected:font-medium aria-selected:text-ink"
          >
            {t.common.tool[way.tool]}
          </button>
        ))}
      </div>
      {ways.map((way, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <div key={index} role="tabpanel" id={`${id}-panel-${index}`} aria-labelledby={`${id}-tab-${index}`} hidden={index !== open}>
          {runs(way)}
        </div>
      ))}
    </>
  );
}
