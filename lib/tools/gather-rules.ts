import { gatherers } from "../gather/index.gen.ts";
import type { FactKey, Rule } from "../model/facts.ts";

/** The RBAC rules of each fact, for what only shows them: the report can then stay away from everything that does I/O. */
export function rulesByFact(): string {
  return `${JSON.stringify(Object.fromEntries(gatherers.map(({ fact }) => [fact, rulesOf(fact)])), null, 2)}\n`;
}

/** A fact that asks for nothing itself is made of those that it needs. */
function rulesOf(fact: FactKey): readonly Rule[] {
  const gatherer = gatherers.find((one) => one.fact === fact);
  if (!gatherer) return [];
  return gatherer.rules.length > 0 ? gatherer.rules : gatherer.needs.flatMap(rulesOf);
}
