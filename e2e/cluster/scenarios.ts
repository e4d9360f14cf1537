import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "./scenario.ts";

const folder = join(import.meta.dirname, "scenarios");

export const scenarioNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -3))
  .sort();

/** The scenario of a name; rejects with those that there are. */
export async function scenarioNamed(name: string): Promise<Scenario> {
  if (!scenarioNames.includes(name)) throw new Error(`There is no scenario "${name}". There are: ${scenarioNames.join(", ")}.`);
  return ((await import(join(folder, `${name}.ts`))) as { default: Scenario }).default;
}
