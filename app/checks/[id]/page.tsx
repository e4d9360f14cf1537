import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CataloguePage } from "@/components/catalogue/catalogue-page.tsx";
import { catalogueEntry } from "@/lib/server/catalogue.ts";
import { requestLocale } from "@/lib/server/locale.ts";

interface Props {
  readonly params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [{ id }, locale] = await Promise.all([params, requestLocale()]);
  return { title: catalogueEntry(id, locale)?.title ?? id };
}

export default async function CheckPage({ params }: Props) {
  const [{ id }, locale] = await Promise.all([params, requestLocale()]);
  const entry = catalogueEntry(id, locale);
  if (!entry) notFound();
  return <CataloguePage entry={entry} locale={locale} />;
}
