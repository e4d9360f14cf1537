import { ClusterRole } from "@/components/ui/cluster-role.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { toneOf } from "@/lib/client/tone.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { FindingView } from "@/lib/model/view.ts";

/** How a check stands that has nothing to repair. */
export function CalmState({ view, fixed, t }: { view: FindingView; fixed: boolean; t: ClusterTexts }) {
  const { check, missingRules } = view;
  if (check.status === "fail") return null;
  return (
    <EmptyState tone={toneOf(check)} title={fixed ? t.finding.calm.fixed : t.finding.calm[check.status]}>
      {check.because ? (
        <p className="wrap-anywhere">
          <RichText text={check.because} />
        </p>
      ) : null}
      {missingRules.length > 0 ? (
        <div>
          <h3 className="mb-2 text-sm font-semibold text-ink">{t.finding.missingRule}</h3>
          <ClusterRole rules={missingRules} t={t} />
        </div>
      ) : null}
    </EmptyState>
  );
}
