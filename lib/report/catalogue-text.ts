import type { CatalogueEntry } from "../model/view.ts";
import type { Style } from "./text.ts";

/** A failure mode as text for a terminal. */
export function catalogueText(entry: CatalogueEntry, style: Style): string {
  const links = (label: string, of: CatalogueEntry["causes"]) => (of.length > 0 ? [`${style("strong", label)}  ${of.map((one) => one.id).join(", ")}`] : []);
  const steps = entry.example?.problems[0]?.fix ?? [];
  return [
    `${style("strong", entry.title)} ${style("dim", `${entry.id}, ${entry.severity}, ${entry.area}`)}`,
    entry.why,
    ...(entry.ignore ? [`${style("strong", "When not to worry")}  ${entry.ignore}`] : []),
    ...(entry.patterns.length > 0 ? [`${style("strong", "Error texts")}\n${entry.patterns.map((pattern) => `  ${pattern}`).join("\n")}`] : []),
    ...links("Caused by", entry.causes),
    ...links("Causes", entry.effects),
    ...(steps.length > 0 ? [`${style("strong", "Fix, for an example install")}\n${steps.map((step) => `  ${step.title}\n    ${step.command.replaceAll("\n", "\n    ")}`).join("\n")}`] : []),
    `${style("dim", entry.sources.join(" · "))}`,
  ].join("\n\n");
}
