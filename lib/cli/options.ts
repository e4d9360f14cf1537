import { readFileSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { errorsOf } from "../explain/explain.ts";
import { type Locale, locales } from "../i18n/locales.ts";
import { UsageError } from "./usage-error.ts";

/** Parses a command's arguments; what can't be parsed is a UsageError. */
export function parseOptions<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0] ?? "wrong options");
  }
}

export type Output = "text" | "json";

export function outputOf(value: string | undefined): Output {
  if (value === undefined || value === "text" || value === "json") return value ?? "text";
  throw new UsageError(`-o takes text or json, not "${value}"`);
}

export function localeOf(value: string | undefined): Locale {
  const found = locales.find((locale) => locale === (value ?? "en"));
  if (!found) throw new UsageError(`--lang takes ${locales.join(", ")}, not "${value}"`);
  return found;
}

/** The errors behind --reported-error: of a text, or of a file with `@FILE`; either may be a screenful with several in it. */
export function reportedErrorsOf(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => errorsOf(value.startsWith("@") ? contentOf(value.slice(1)) : value));
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`--reported-error: the file ${file} can't be read`);
  }
}

/** A duration such as `90s`, `5m` or `1h`, in milliseconds. */
export function durationOf(value: string): number {
  const match = /^(\d+)(s|m|h)$/.exec(value);
  if (!match) throw new UsageError(`--wait takes a duration such as 90s or 5m, not "${value}"`);
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2] as "s" | "m" | "h"];
}
