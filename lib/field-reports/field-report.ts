import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Verdict } from "../model/report.ts";
import type { Overlay } from "../snapshot/overlay.ts";

/** What somebody met and told in public, retold: the cluster as a difference to a demo cluster, the words that were seen, or both. */
export interface FieldReport extends Overlay {
  /** What happened, in a sentence. */
  readonly report: string;
  /** Where it was told. */
  readonly source: readonly string[];
  /** What sort of trouble it is; reports of one sort share it. */
  readonly kind: string;
  /** The demo cluster that the state starts from; `healthy` without. */
  readonly from?: string;
  /** Texts that were seen: the entry that explains each, or the webhook of another product that it is about. */
  readonly said?: readonly { readonly text: string; readonly check?: string; readonly notOurs?: string }[];
  /** What the checkup must say of the state; absent where only words are known. */
  readonly expect?: {
    readonly verdict: Verdict;
    /** The root cause that must come first, and those that stand beside it. Warnings and remarks may stand there unnamed. */
    readonly roots: readonly string[];
  };
  /** Why the product gets it wrong so far. It is held to that too, so that a cure doesn't go unnoticed. */
  readonly missed?: string;
}

const folder = import.meta.dirname;

/** Every report, by the name of its file. */
export function fieldReports(): readonly (readonly [string, FieldReport])[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.sort().map((file) => [file.replace(".yaml", ""), parse(readFileSync(join(folder, file), "utf8"), { maxAliasCount: 1000 }) as FieldReport]);
}
