import type { Locale } from "../i18n/locales.ts";
import { reportTexts } from "../i18n/report-texts.ts";
import type { CatalogueEntry } from "../model/view.ts";
import type { Style } from "./text.ts";

/** A failure mode as text for a terminal. */
export function catalogueText(entry: CatalogueEntry, style: Style, locale: Locale): string {
  const say = reportTexts(locale);
  const links = (label: string, of: CatalogueEntry["causes"]) => (of.length > 0 ? [`${style("strong", label)}  ${of.map((one) => one.id).join(", ")}`] : []);
  const steps = entry.example?.problems[0]?.fix ?? [];
  return [
    `${style("strong", entry.title)} ${style("dim", `${entry.id}, ${entry.severity}, ${entry.area}`)}`,
    entry.why,
    ...(entry.ignore ? [`${style("strong", say.notToWorry)}  ${entry.ignore}`] : []),
    ...(entry.patterns.length > 0 ? [`${style("strong", say.errorTexts)}\n${entry.patterns.map((pattern) => `  ${pattern}`).join("\n")}`] : []),
    ...links(say.causedBy, entry.causes),
    ...links(say.causes, entry.effects),
    ...(steps.length > 0
      ? [`${style("strong", say.exampleFix)}\n${steps.map((step) => `  ${step.title}\n    ${step.command.replaceAll("\n", "\n    ")}`).join("\n")}`]
      : []),
    `${style("dim", entry.sources.join(" · "))}`,
  ].join("\n\n");
}
