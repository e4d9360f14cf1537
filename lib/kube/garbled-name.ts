/** How a name shows that it was never meant to be one. */
export type Garbling = "doubled" | "unrendered";

// So many characters at least, or a name like `test-test2` would count.
const doubled = /^([a-z][a-z0-9-]{5,60})\1/;
// What Helm renders where nobody names the release, and marks of templates that weren't filled in.
const unrendered = /^release-name\b|[${}<>()%]/i;

/** Whether the name has a part twice in a row or is what a template makes without its values; undefined where it looks like a name. */
export function garblingOf(name: string): Garbling | undefined {
  if (unrendered.test(name)) return "unrendered";
  return doubled.test(name) ? "doubled" : undefined;
}
