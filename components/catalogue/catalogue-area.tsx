import Link from "next/link";
import { RichText } from "@/components/ui/rich-text.tsx";
import { SectionHeading } from "@/components/ui/section-heading.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { toneColour } from "@/components/ui/tone-colour.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Area, Severity } from "@/lib/model/check.ts";

/** What the list needs of an entry. */
export interface CatalogueItem {
  readonly id: string;
  readonly title: string;
  readonly area: Area;
  readonly severity: Severity;
}

/** The failure modes of one layer of an install. */
export function CatalogueArea({ area, items, t }: { area: Area; items: readonly CatalogueItem[]; t: Ui["common"] }) {
  return (
    <section className="mb-6">
      <SectionHeading note={items.length}>{t.area[area]}</SectionHeading>
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">
        {items.map((item) => (
          <li key={item.id} className="border-t border-line first:border-t-0">
            <Link
              data-row=""
              href={`/checks/${item.id}`}
              prefetch={false}
              className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2.5 -outline-offset-2 hover:bg-raised/60"
            >
              <StatusIcon tone={item.severity} className="size-5" />
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                <span className="font-medium">
                  <RichText text={item.title} />
                </span>
                <span className="font-mono text-xs text-faint wrap-anywhere">{item.id}</span>
              </span>
              <span className={`text-xs ${toneColour[item.severity]}`}>{t.severity[item.severity]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
