import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { catalogueEntry } from "@/lib/server/catalogue.ts";
import { requestLocale } from "@/lib/server/locale.ts";

/** Stands before the skeleton: once that is on its way, an address that leads nowhere can't be answered with 404. */
export default async function FindingLayout({ children, params }: { children: ReactNode; params: Promise<{ id: string }> }) {
  const [{ id }, locale] = await Promise.all([params, requestLocale()]);
  if (!catalogueEntry(id, locale)) notFound();
  return children;
}
