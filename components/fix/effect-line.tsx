import { RichText } from "@/components/ui/rich-text.tsx";
import type { FixRun } from "@/lib/client/fix-plans.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** What a command does to the cluster, and how to take it back. */
export function EffectLine({ run, t }: { run: FixRun; t: Ui["finding"] }) {
  return (
    <div className="mt-2 grid gap-0.5 text-sm text-muted">
      {run.effect === "none" ? <p>{run.changes ? <RichText text={run.changes} /> : t.changesNothing}</p> : null}
      {run.effect === "cluster" ? (
        <p>
          <b className="font-semibold text-degraded">{t.changes}</b> <RichText text={run.changes} />
        </p>
      ) : null}
      {run.undo ? (
        <p>
          <b className="font-medium text-ink">{t.undo}</b> <RichText text={run.undo} />
        </p>
      ) : null}
    </div>
  );
}
