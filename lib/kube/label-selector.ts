import type { LabelSelector } from "../model/kubernetes.ts";

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

/** Whether a selector of the API's own form selects these labels; an empty one selects everything. */
export function isSelectedBy(labels: Labels | undefined, { matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return (
    isSelected(labels, matchLabels) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels?.[key];
      if (operator === "Exists") return value !== undefined;
      if (operator === "DoesNotExist") return value === undefined;
      const among = value !== undefined && values.includes(value);
      return operator === "NotIn" ? !among : among;
    })
  );
}
