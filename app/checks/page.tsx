import type { Metadata } from "next";
import { headers } from "next/headers";
import type { CatalogueItem } from "@/components/catalogue/catalogue-area.tsx";
import { CatalogueList } from "@/components/catalogue/catalogue-list.tsx";
import { ExplainCatalogue } from "@/components/catalogue/explain-catalogue.tsx";
import { ui } from "@/lib/i18n/ui.ts";
import { type Area, areas, type Severity } from "@/lib/model/check.ts";
import { catalogue } from "@/lib/server/catalogue.ts";
import { explanationOf } from "@/lib/server/explain.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: ui(await requestLocale()).catalogue.title };
}

export default async function ChecksPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const [{ q, error }, locale, sent] = await Promise.all([searchParams, requestLocale(), headers()]);
  const text = typeof error === "string" ? error.trim() : "";
  const t = ui(locale);
  const items = catalogue(locale).map(({ id, title, area, severity }): CatalogueItem => ({ id, title, area: area as Area, severity: severity as Severity }));
  const ordered = areas.flatMap((area) => items.filter((item) => item.area === area));
  return (
    <>
      <h1 className="pt-5 text-xl font-semibold tracking-tight">{t.catalogue.title}</h1>
      <p className="mt-0.5 mb-2 max-w-[72ch] text-muted">{t.catalogue.lead}</p>
      <ExplainCatalogue text={text} view={text === "" ? null : explanationOf(text, null, locale)} origin={`http://${sent.get("host")}`} locale={locale} />
      <CatalogueList items={ordered} initial={typeof q === "string" ? q : ""} locale={locale} t={{ common: t.common, catalogue: t.catalogue }} />
    </>
  );
}
