import { ClusterRole } from "@/components/ui/cluster-role.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { plural } from "@/lib/i18n/fill.ts";
import type { Rule } from "@/lib/model/facts.ts";

/** What would have to be allowed for the checks above to see, behind a line. */
export function MissingRules({ rules, t }: { rules: readonly Rule[]; t: ClusterTexts }) {
  return (
    <details className="group mt-2 px-1">
      <summary className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <Icon name="chevron" className="size-3.5 group-open:rotate-90" />
        {plural(t.diagnosis.list.showRules, rules.length, t.locale)}
      </summary>
      <div className="mt-2">
        <ClusterRole rules={rules} t={t} />
      </div>
    </details>
  );
}
