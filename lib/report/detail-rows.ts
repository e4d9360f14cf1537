import type { Locale } from "../i18n/locales.ts";
import { reportTexts } from "../i18n/report-texts.ts";
import type { DetailRow } from "../model/view.ts";

/** What was read from an error, for people: the details that have a name in the language, in a fixed order. */
export function detailRows(details: Readonly<Record<string, string>>, locale: Locale): readonly DetailRow[] {
  return Object.entries(reportTexts(locale).details).flatMap(([key, label]) => {
    const value = details[key];
    return value ? [{ label, value: key === "timeoutSeconds" ? `${value} s` : value }] : [];
  });
}
