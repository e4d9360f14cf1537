import { buttonLook } from "@/components/ui/button-look.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { useCheckAgain } from "@/lib/client/use-check-again.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { CheckupProblem } from "@/lib/model/view.ts";

/** No report at all: what was tried, what came of it, and trying again. */
export function Unreachable({ cluster, problem, running, t }: { cluster: string; problem: CheckupProblem; running: boolean; t: ClusterTexts }) {
  const again = useCheckAgain(cluster);
  const { unreachable } = t.empty;
  const input = problem.reason === "input";
  const busy = running || again.step === "asking";
  return (
    <EmptyState tone="unknown" title={input ? unreachable.input : unreachable.title}>
      <p>{input ? unreachable.inputText : unreachable.text}</p>
      <p className="rounded-lg bg-raised px-3.5 py-2.5 font-mono text-sm wrap-anywhere text-ink">
        <RichText text={problem.message} />
      </p>
      <p className="flex flex-wrap items-center gap-3">
        <button type="button" aria-disabled={busy} className={buttonLook.primary} onClick={() => busy || again.start()}>
          {unreachable.retry}
        </button>
        {again.refusal ? (
          <span role="alert" className="text-degraded">
            <RichText text={again.refusal} />
          </span>
        ) : null}
      </p>
    </EmptyState>
  );
}
