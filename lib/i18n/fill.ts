/** A text per plural category (Intl.PluralRules); the number stands as `{n}`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** A text with its `{names}` filled in; what has no value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
}

/** The form for a number in a language, still with its `{n}`. */
export function pluralForm(forms: PluralForms, n: number, locale: string): string {
  return forms[new Intl.PluralRules(locale).select(n)] ?? forms.other;
}

/** The text for a number in a language. */
export function plural(forms: PluralForms, n: number, locale: string): string {
  return fill(pluralForm(forms, n, locale), { n });
}
