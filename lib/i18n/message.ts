import IntlMessageFormat from "intl-messageformat";
import type { Message } from "../model/check.ts";
import type { Values } from "../model/text.ts";

const compiled = new Map<string, IntlMessageFormat>();

/** Fills an ICU message with its values. */
export function formatMessage(text: string, values: Values | undefined, locale: string): string {
  const key = `${locale}\n${text}`;
  let message = compiled.get(key);
  if (!message) {
    message = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
    compiled.set(key, message);
  }
  return String(message.format({ ...values }));
}

/** The English text of a message. */
export function englishText(message: Message): string {
  return typeof message === "string" ? message : message.text;
}
