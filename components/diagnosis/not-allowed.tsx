import { ClusterRole } from "@/components/ui/cluster-role.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { MissingFact } from "@/lib/model/report.ts";

/** What may not be looked at, and what would have to be allowed. */
export function NotAllowed({ missing, t }: { missing: readonly MissingFact[]; t: ClusterTexts }) {
  const { forbidden } = t.empty;
  // Many facts hang on the same refused request.
  const names = new Intl.ListFormat(t.locale, { type: "unit" });
  const rules = missing.flatMap((fact) => (fact.rule ? [fact.rule] : []));
  return (
    <EmptyState tone="unknown" title={forbidden.title}>
      <p>{plural(forbidden.text, missing.length, t.locale)}</p>
      <ul className="grid gap-1.5">
        {[...Map.groupBy(missing, (fact) => fact.detail)].map(([detail, facts]) => (
          <li key={detail}>
            <span className="font-medium text-ink">{names.format(facts.map((fact) => t.facts[fact.fact]))}</span>
            <span className="block font-mono text-xs leading-relaxed wrap-anywhere">{detail}</span>
          </li>
        ))}
      </ul>
      {rules.length > 0 ? (
        <>
          <p>{forbidden.rules}</p>
          <ClusterRole rules={rules} t={t} />
        </>
      ) : null}
    </EmptyState>
  );
}
