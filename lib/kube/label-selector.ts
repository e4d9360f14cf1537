type Labels = Readonly<Record<string, string>>;

/** Whether an object with these labels is selected. */
export function isSelected(labels: Labels | undefined, selector: Labels): boolean {
  return mismatches(labels, selector).length === 0;
}

/** The keys of the selector that the labels don't agree with. */
export function mismatches(labels: Labels | undefined, selector: Labels): readonly string[] {
  return Object.keys(selector).filter((key) => labels?.[key] !== selector[key]);
}

/** The selector as kubectl's `-l` takes it. */
export function selectorText(selector: Labels): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}
