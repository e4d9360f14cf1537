import { text as textFrom } from "node:stream/consumers";
import { checks } from "../checks/index.gen.ts";
import { explain } from "../explain/explain.ts";
import { checkText } from "../i18n/check-texts.ts";
import { reportTexts } from "../i18n/report-texts.ts";
import { catalogueEntryOf } from "../report/catalogue.ts";
import { catalogueText } from "../report/catalogue-text.ts";
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
  const { matches, notOurs } = explain(given);
  const named = matches.map(({ check: id, details }) => {
    const found = checks.find((one) => one.id === id);
    return { check: id, title: found ? checkText(found, { key: "title" }, locale) : id, why: found ? checkText(found, { key: "why" }, locale) : "", details };
  });
  if (output === "json") console.log(JSON.stringify({ schemaVersion: 1, matches: named, notOurs }, null, 2));
  else if (notOurs) console.log(reportTexts(locale).otherWebhook(notOurs));
  else if (named.length === 0) console.log(reportTexts(locale).nothingNamed);
  else console.log(named.map((match) => `${match.title} (${match.check})\n  ${match.why}`).join("\n\n"));
  return exitCodes.healthy;
}
