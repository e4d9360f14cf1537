import type { Evidence } from "../model/check.ts";

/** A piece of evidence, and how many other objects of its kind show the same. */
export interface DigestedEvidence {
  readonly evidence: Evidence;
  readonly others: number;
}

/** The evidence in short: what several objects of a kind show alike stands once. */
export function evidenceDigest(evidence: readonly Evidence[]): readonly DigestedEvidence[] {
  const alike = Map.groupBy(evidence, ({ object, path, value }) => JSON.stringify([object.kind, path, value]));
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [{ evidence: first, others: others.length }] : []));
}
