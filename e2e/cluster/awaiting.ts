import { checks } from "../../lib/checks/index.gen.ts";

const known = new Set<string>(checks.map((check) => check.id));

/** Whether the product has this check yet; later ones bring the rest of the catalogue. */
export function isKnown(id: string): boolean {
  return known.has(id);
}
