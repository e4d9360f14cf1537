import { text as textFrom } from "node:stream/consumers";
import { checks } from "../checks/index.gen.ts";
import { type ExplainedError, explain, type Match } from "../explain/explain.ts";
import { checkText } from "../i18n/check-texts.ts";
import type { Locale } from "../i18n/locales.ts";
import { reportTexts } from "../i18n/report-texts.ts";
import { catalogueEntryOf } from "../report/catalogue.ts";
import { catalogueText } from "../report/catalogue-text.ts";
import { detailRows } from "../report/detail-rows.ts";
import { printable } from "../report/text.ts";
import { exitCodes } from "./exit-codes.ts";
import { localeOf, outputOf, parseOptions } from "./options.ts";
import { terminalStyle } from "./terminal-style.ts";
import { UsageError } from "./usage-error.ts";

const options = { output: { type: "string", short: "o" }, lang: { type: "string" } } as const;

/** `certmedic explain`: what an error text means, or what a check looks for; gives the exit code. */
export async function explainCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  if (positionals.length !== 1) throw new UsageError("explain takes one argument: an error text, - or a check's id");
  const output = outputOf(values.output);
  const locale = localeOf(values.lang);
  const given = positionals[0] === "-" ? await textFrom(process.stdin) : (positionals[0] ?? "");
  const check = checks.find((one) => one.id === given.trim());
  if (check) {
    const entry = catalogueEntryOf(check, locale);
    console.log(output === "json" ? JSON.stringify({ schemaVersion: 1, check: entry }, null, 2) : catalogueText(entry, terminalStyle(process.stdout), locale));
    return exitCodes.healthy;
  }
  const { matches, notOurs, errors } = explain(given);
  const named = matches.map((match) => {
    const found = checks.find((one) => one.id === match.check);
    return { ...match, title: found ? checkText(found, { key: "title" }, locale) : match.check, why: found ? checkText(found, { key: "why" }, locale) : "" };
  });
  if (output === "json") console.log(JSON.stringify({ schemaVersion: 1, matches: named, notOurs, errors }, null, 2));
  else console.log(printable(explanationText(named, errors, locale)));
  return exitCodes.healthy;
}

type Named = Match & { readonly title: string; readonly why: string };

function explanationText(named: readonly Named[], errors: readonly ExplainedError[], locale: Locale): string {
  const say = reportTexts(locale);
  const style = terminalStyle(process.stdout);
  const foreign = new Set(errors.flatMap(({ notOurs }) => (notOurs ? [say.otherWebhook(notOurs.webhook, notOurs.product)] : [])));
  if (named.length === 0 && foreign.size === 0) return say.nothingNamed;
  const ours = named.map(({ check, title, why, words, details }) => {
    const read = detailRows(details, locale).map(({ label, value }) => `${label} ${value}`);
    return [
      `${style("strong", title)} (${check})`,
      `  ${why}`,
      `  ${style("dim", `${say.namedBy}: ${words}`)}`,
      ...(read.length > 0 ? [`  ${style("dim", `${say.readFromIt}: ${read.join(", ")}`)}`] : []),
    ].join("\n");
  });
  return [...ours, ...foreign].join("\n\n");
}
