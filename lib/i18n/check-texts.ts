import type { Check } from "../model/check.ts";
import type { Text } from "../model/text.ts";
import type { Locale } from "./locales.ts";
import { englishText, formatMessage } from "./message.ts";

/** Translations of the checks' texts by `<id>.<key>`, as in checks.en.gen.json; what is missing there stays English. */
const translations: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  // English comes from the checks themselves.
  en: {},
};

/** A check's text in a language. */
export function checkText(check: Check, text: Text, locale: Locale): string {
  const message = check.strings[text.key as keyof typeof check.strings];
  if (message === undefined) throw new Error(`${check.id} has no text "${text.key}"`);
  return formatMessage(translations[locale][`${check.id}.${text.key}`] ?? englishText(message), text.values, locale);
}
