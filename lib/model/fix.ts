import type { Text } from "./text.ts";

/** The tool that a step is made for; steps with the same title are alternatives. */
export type FixTool = "helm" | "values" | "kubectl" | "gitops" | "olm";

/** What running the command does: reads only, changes the cluster, or deletes data. */
export type FixEffect = "none" | "cluster" | "deletes-data";

/** One step of a guided fix. Steps in a row with the same title are alternatives, the fitting one first. */
export interface FixStep<S extends string = string> {
  readonly title: Text<S>;
  readonly for: FixTool;
  /** Complete and ready to paste; for `values`, a piece of YAML. */
  readonly command: string;
  readonly effect: FixEffect;
  /** What it changes; required by tests wherever `effect` isn't `none`. */
  readonly changes?: Text<S>;
  /** How to take it back. */
  readonly undo?: Text<S>;
  /** True where this is done instead of the steps before it, not after them. */
  readonly instead?: boolean;
}
