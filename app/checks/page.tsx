import type { Metadata } from "next";
import type { CatalogueItem } from "@/components/catalogue/catalogue-area.tsx";
import { CatalogueList } from "@/components/catalogue/catalogue-list.tsx";
import { ui } from "@/lib/i18n/ui.ts";
import { type Area, areas, type Severity } from "@/lib/model/check.ts";
import { catalogue } from "@/lib/server/catalogue.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: ui(await requestLocale()).catalogue.title };
}

export default async function ChecksPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const [{ q }, locale] = await Promise.all([searchParams, requestLocale()]);
  const t = ui(locale);
  const items = catalogue(locale).map(({ id, title, area, severity }): CatalogueItem => ({ id, title, area: area as Area, severity: severity as Severity }));
  const ordered = areas.flatMap((area) => items.filter((item) => item.area === area));
  return (
    <>
      <h1 className="pt-5 text-xl font-semibold tracking-tight">{t.catalogue.title}</h1>
      <p className="mt-0.5 mb-2 max-w-[72ch] text-muted">{t.catalogue.lead}</p>
      <CatalogueList items={ordered} initial={typeof q === "string" ? q : ""} locale={locale} t={{ common: t.common, catalogue: t.catalogue }} />
    </>
  );
}
