import { gatherers } from "../gather/index.gen.ts";

/** The RBAC rules of each fact, for what only shows them: the report can then stay away from everything that does I/O. */
export function rulesByFact(): string {
  return `${JSON.stringify(Object.fromEntries(gatherers.map((gatherer) => [gatherer.fact, gatherer.rules])), null, 2)}\n`;
}
