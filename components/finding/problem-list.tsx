import { EvidenceList } from "@/components/evidence/evidence-list.tsx";
import { Card } from "@/components/ui/card.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { SectionHeading } from "@/components/ui/section-heading.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { FindingView } from "@/lib/model/view.ts";

/** Every problem of a check with what was seen. */
export function ProblemList({ problems, settling, t }: { problems: FindingView["problems"]; settling: boolean; t: ClusterTexts }) {
  if (problems.length === 0) return null;
  return (
    <section>
      <SectionHeading id="evidence" note={plural(t.finding.problems, problems.length, t.locale)}>
        {t.finding.evidence}
      </SectionHeading>
      <div className="grid gap-4">
        {problems.map((problem) => {
          const tone = settling ? "settling" : problem.severity;
          return (
            <Card key={problem.text} className="overflow-hidden">
              <p className="flex gap-3 px-4 py-3 font-medium">
                <StatusIcon tone={tone} word={settling ? t.common.status.settling : t.common.severity[problem.severity]} className="mt-px size-5" />
                <span className="min-w-0 wrap-anywhere">
                  <RichText text={problem.text} />
                </span>
              </p>
              <EvidenceList views={problem.evidenceViews} tone={tone} locale={t.locale} t={t} />
              {problem.evidenceViews.length === 0 ? <p className="px-4 py-3 text-sm text-muted">{t.finding.noEvidence}</p> : null}
            </Card>
          );
        })}
      </div>
    </section>
  );
}
