"use client";

import { useState } from "react";
import { plural } from "@/lib/i18n/fill.ts";
import type { Locale } from "@/lib/i18n/locales.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { CatalogueArea, type CatalogueItem } from "./catalogue-area.tsx";

interface Props {
  readonly items: readonly CatalogueItem[];
  readonly initial: string;
  readonly locale: Locale;
  readonly t: Pick<Ui, "common" | "catalogue">;
}

/** The catalogue by area, narrowed by words that an entry must all hold. The filter lives in the address. */
export function CatalogueList({ items, initial, locale, t }: Props) {
  const [query, setQuery] = useState(initial);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = items.filter((item) => {
    const text = `${item.title} ${item.id} ${t.common.area[item.area]} ${t.common.severity[item.severity]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });

  function filter(next: string) {
    setQuery(next);
    const address = new URL(location.href);
    if (next === "") address.searchParams.delete("q");
    else address.searchParams.set("q", next);
    history.replaceState(null, "", address);
  }

  return (
    <>
      <div className="sticky top-0 z-10 -mx-4 mb-4 flex items-center gap-4 bg-canvas px-4 py-3 wide:-mx-8 wide:px-8">
        <input
          type="search"
          value={query}
          data-hotkey="/"
          aria-label={t.catalogue.filter}
          placeholder={t.catalogue.placeholder}
          onChange={(event) => filter(event.target.value)}
          className="min-w-0 flex-1 rounded-lg border border-line-strong bg-surface px-3.5 py-2 placeholder:text-faint wide:max-w-96"
        />
        <p role="status" className="text-sm whitespace-nowrap text-faint tabular-nums">
          {plural(t.catalogue.shown, shown.length, locale)}
        </p>
      </div>
      {[...Map.groupBy(shown, (item) => item.area)].map(([area, inArea]) => (
        <CatalogueArea key={area} area={area} items={inArea} t={t.common} />
      ))}
      {shown.length === 0 ? <p className="py-8 text-muted">{t.catalogue.none}</p> : null}
    </>
  );
}
