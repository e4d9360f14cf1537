/** Languages that have a dictionary. */
export const locales = ["en"] as const;
export type Locale = (typeof locales)[number];

/** The first language that we have among those asked for (an Accept-Language header or a flag). */
export function localeFor(asked: string | undefined): Locale {
  const wanted = (asked ?? "").split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
  return locales.find((locale) => wanted.includes(locale)) ?? "en";
}
