import type { Checklist } from "@/lib/client/checklist.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { type PluralForms, pluralForm } from "@/lib/i18n/fill.ts";

/** How many checks came out how. */
export function Counts({ list, t }: { list: Checklist; t: ClusterTexts }) {
  const { count } = t.diagnosis;
  const consequences = list.failing.length - list.roots.length;
  const counts: readonly (readonly [PluralForms, number])[] = [
    [count.rootCauses, list.roots.length],
    [count.consequences, consequences],
    [count.warnings, list.warnings.length],
    [count.settling, list.settling.length],
    [count.pending, list.pending.length],
    [count.passed, list.passed.length],
    [count.unknown, list.unknown.length],
    [count.notApplicable, list.notApplicable.length],
  ];
  return (
    <ul aria-label={t.diagnosis.counts} className="mb-6 flex flex-wrap gap-x-4 gap-y-1 text-muted">
      {counts
        .filter(([, n]) => n > 0)
        .map(([forms, n]) => {
          const [before, after] = pluralForm(forms, n, t.locale).split("{n}");
          return (
            <li key={forms.other}>
              {before}
              <b className="font-semibold text-ink tabular-nums">{n}</b>
              {after}
            </li>
          );
        })}
    </ul>
  );
}
