/** What fills the placeholders of a text. */
export type Values = Readonly<Record<string, string | number>>;

/** A text of a check's own `strings`, with the values that fill it. */
export interface Text<S extends string = string> {
  readonly key: S;
  readonly values?: Values;
}
