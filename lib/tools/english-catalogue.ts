import { checks } from "../checks/index.gen.ts";

/** Every text of every check by `<id>.<key>`, with its note for translators where it has one. */
export function englishCatalogue(): string {
  const entries = checks.flatMap((check) => Object.entries(check.strings).map(([key, message]) => [`${check.id}.${key}`, message] as const));
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
