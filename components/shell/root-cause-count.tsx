"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { toneColour } from "@/components/ui/tone-colour.ts";
import { checklistOf } from "@/lib/client/checklist.ts";
import { checkupQuery } from "@/lib/client/checkup-query.ts";
import { type PluralForms, plural } from "@/lib/i18n/fill.ts";

/** How many root causes the diagnosis has, beside its link; nothing while there is none. */
export function RootCauseCount({ cluster, forms, locale }: { cluster: string; forms: PluralForms; locale: string }) {
  const { data } = useSuspenseQuery(checkupQuery(cluster));
  const roots = data.report ? checklistOf(data.report).roots : [];
  const [worst] = roots;
  if (!worst) return null;
  return (
    <span className={`text-xs tabular-nums ${toneColour[worst.check.severity]}`}>
      <span aria-hidden="true">{roots.length}</span>
      <span className="sr-only">{plural(forms, roots.length, locale)}</span>
    </span>
  );
}
