import type { Windows } from "../../lib/model/check.ts";
import type { Verdict } from "../../lib/model/report.ts";
import type { Base, Identity, TestCluster } from "./cluster.ts";

/** What the report must say. */
export interface Expectation {
  readonly verdict: Verdict;
  /** Check ids, the first root cause first; none where nothing is broken. */
  readonly roots: readonly string[];
  /** What the first root cause explains; other consequences may be among them. */
  readonly explains?: readonly string[];
  /** Checks that settle, or fail without being a root cause or explained by one. */
  readonly settling?: readonly string[];
}

/** A fault as a person makes it, and what must be said about it. One file a scenario; its name is the file's. */
export interface Scenario {
  readonly title: string;
  readonly from: Base;
  /** Makes the fault with the real tools. */
  fault(cluster: TestCluster): Promise<void>;
  readonly expect: Expectation;
  /** Who looks; `least-privilege` unless the cause can be seen only with a person's own rights. */
  readonly as?: Identity;
  readonly windows?: Windows;
  /** Whether the error texts that were seen are handed to the checkup, as `--reported-error` does. */
  readonly reported?: boolean;
  /** Whether chance decides in which words the fault shows, so that they aren't compared with their recording. */
  readonly varies?: boolean;
  /** Seconds until the report must say it, for faults that take time to show; 15 unless said otherwise. */
  readonly within?: number;
  /** Whether the commands that the report prints for the first root cause, run as printed, turn it healthy. */
  readonly mends?: boolean;
  /** What the person types where these commands ask for something. */
  readonly types?: string;
  /** The major version of the Helm that runs them; 4 unless said otherwise. */
  readonly helm?: 3 | 4;
  /** Which tool the person takes where a step is printed for several; the first unless said otherwise. */
  readonly prefers?: "kubectl" | "helm";
  /** What is to be done and seen after the fault was found (and mended). */
  after?(cluster: TestCluster): Promise<void>;
}

/** Types a scenario. */
export function defineScenario(scenario: Scenario): Scenario {
  return scenario;
}
