import "server-only";
import { checks } from "../checks/index.gen.ts";
import type { Locale } from "../i18n/locales.ts";
import type { CatalogueEntry } from "../model/view.ts";
import { catalogueEntryOf } from "../report/catalogue.ts";

/** Every failure mode that the product knows. */
export function catalogue(locale: Locale): readonly CatalogueEntry[] {
  return checks.map((check) => catalogueEntryOf(check, locale));
}

/** One of them by id, or null. */
export function catalogueEntry(id: string, locale: Locale): CatalogueEntry | null {
  const check = checks.find((one) => one.id === id);
  return check ? catalogueEntryOf(check, locale) : null;
}
