import examples from "../checks/examples.gen.json" with { type: "json" };
import { checks } from "../checks/index.gen.ts";
import rulesByFact from "../gather/rules.gen.json" with { type: "json" };
import { checkText } from "../i18n/check-texts.ts";
import type { Locale } from "../i18n/locales.ts";
import { factName } from "../i18n/runner-texts.ts";
import type { Check } from "../model/check.ts";
import type { Rule } from "../model/facts.ts";
import type { CatalogueEntry, CheckLink } from "../model/view.ts";

/** Everything that is known of a failure mode without a cluster, from the check itself and its fixture. */
export function catalogueEntryOf(check: Check, locale: Locale): CatalogueEntry {
  const say = (key: string) => checkText(check, { key }, locale);
  const facts = [...check.needs, ...check.uses];
  return {
    id: check.id,
    title: say("title"),
    why: say("why"),
    ignore: check.strings.ignore === undefined ? "" : say("ignore"),
    area: check.area,
    severity: check.severity,
    patterns: (check.patterns ?? []).map((pattern) => pattern.text.source),
    needs: check.needs.map((fact) => factName(fact, locale)),
    uses: check.uses.map((fact) => factName(fact, locale)),
    causes: linksTo(check.causedBy, locale),
    effects: linksTo(effectsOf(check.id), locale),
    sources: check.sources,
    rules: facts.flatMap((fact) => rulesByFact[fact] as readonly Rule[]),
    example: (examples as unknown as Record<string, CatalogueEntry["example"]>)[check.id] ?? null,
  };
}

/** The checks that name this one as a cause. */
function effectsOf(id: string): readonly string[] {
  return checks.filter((check) => check.causedBy.includes(id)).map((check) => check.id);
}

/** Links to checks by id, with their titles. */
export function linksTo(ids: readonly string[], locale: Locale): readonly CheckLink[] {
  return ids.flatMap((id) => {
    const check = checks.find((one) => one.id === id);
    return check ? [{ id, title: checkText(check, { key: "title" }, locale) }] : [];
  });
}
