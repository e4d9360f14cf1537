import "server-only";
import { cookies, headers } from "next/headers";
import { type Locale, localeFor } from "../i18n/locales.ts";

/** The reader's language: chosen by cookie, else what the browser asks for. */
export async function requestLocale(): Promise<Locale> {
  const chosen = (await cookies()).get("lang")?.value;
  return localeFor(chosen ?? (await headers()).get("accept-language") ?? undefined);
}
