import type { Check, Text } from "../model/check.ts";
import type { Locale } from "./locales.ts";
import { englishText, formatMessage } from "./message.ts";

/** A check's text in a language; English comes from the check itself. */
export function checkText(check: Check, text: Text, locale: Locale): string {
  const message = check.strings[text.key as keyof typeof check.strings];
  if (message === undefined) throw new Error(`${check.id} has no text "${text.key}"`);
  return formatMessage(englishText(message), text.values, locale);
}
