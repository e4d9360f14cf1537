import { CodeBlock } from "@/components/ui/code-block.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { FixRun as Run } from "@/lib/client/fix-plans.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { EffectLine } from "./effect-line.tsx";

/** Commands to paste, with what they do. A loss of data is said before the command, not after it. */
export function FixRun({ run, t }: { run: Run; t: Pick<Ui, "common" | "finding"> }) {
  return (
    <div>
      {run.effect === "deletes-data" ? (
        <p className="mb-2 flex gap-2 rounded-lg bg-blocker-soft px-3 py-2 text-sm text-ink">
          <StatusIcon tone="blocker" className="mt-px size-4.5" />
          <span>
            <b className="font-semibold text-blocker">{t.finding.deletes}</b> <RichText text={run.changes} />
          </span>
        </p>
      ) : null}
      <CodeBlock text={run.commands.join("\n")} t={t.common} />
      <EffectLine run={run} t={t.finding} />
    </div>
  );
}
