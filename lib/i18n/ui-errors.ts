import { type Locale, localeFor } from "./locales.ts";

/** What error boundaries say: the only texts that are part of the browser's JavaScript, since nothing can be handed to them. */
interface ErrorTexts {
  readonly title: string;
  readonly text: string;
  readonly retry: string;
}

const dictionaries: Readonly<Record<Locale, ErrorTexts>> = {
  en: {
    title: "This page could not be shown",
    text: "Something in Certmedic itself failed; your cluster was only read. The server's output says more.",
    retry: "Try again",
  },
};

/** In the language of the page that failed. */
export function errorTexts(lang: string): ErrorTexts {
  return dictionaries[localeFor(lang)];
}
