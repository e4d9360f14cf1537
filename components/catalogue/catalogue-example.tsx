import { EvidenceRows } from "@/components/evidence/evidence-rows.tsx";
import { GuidedFix } from "@/components/fix/guided-fix.tsx";
import { Card } from "@/components/ui/card.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { evidenceDigest } from "@/lib/client/evidence-digest.ts";
import { fixPlans } from "@/lib/client/fix-plans.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { Locale } from "@/lib/i18n/locales.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { CatalogueEntry } from "@/lib/model/view.ts";

interface Props {
  readonly example: NonNullable<CatalogueEntry["example"]>;
  readonly locale: Locale;
  readonly t: Pick<Ui, "common" | "finding" | "catalogue">;
}

/** What the check reports for a cluster that is broken in this way. */
export function CatalogueExample({ example, locale, t }: Props) {
  return (
    <section>
      <h2 className="mb-2 text-lg font-semibold tracking-tight">{t.catalogue.example}</h2>
      <p className="mb-3 text-muted">{fill(t.catalogue.exampleLead, { name: example.case })}</p>
      <div className="grid gap-4">
        {example.problems.map((problem) => (
          <Card key={problem.text} className="overflow-hidden">
            <p className="flex gap-3 px-4 py-3 font-medium">
              <StatusIcon tone={problem.severity} word={t.common.severity[problem.severity]} className="mt-px size-5" />
              <span className="min-w-0 wrap-anywhere">
                <RichText text={problem.text} />
              </span>
            </p>
            {problem.evidence.length > 0 ? (
              <div className="border-t border-line bg-sunken px-4 py-3">
                <EvidenceRows rows={evidenceDigest(problem.evidence)} tone={problem.severity} locale={locale} t={t} />
              </div>
            ) : null}
          </Card>
        ))}
        {/* Its steps are headings one level below this one. */}
        {fixPlans(example.problems).map((plan) => (
          <GuidedFix key={plan.steps.map((step) => step.title).join("\n")} plan={plan} t={t} />
        ))}
      </div>
    </section>
  );
}
