import type { ClusterReader } from "../cluster/reader.ts";
import type { Fact, FactKey, FactValues, Known, Maybe, NotAskedBecause, Rule } from "../model/facts.ts";

/** What comes from elsewhere than the cluster. */
export interface GatherInput {
  /** Texts that a person pasted, or that came with the snapshot. */
  readonly reportedErrors: readonly string[];
  /** Whether Secrets may be read by name (security.md 1): true for the user's own identity. */
  readonly readSecrets: boolean;
  /** The cluster's time, or the snapshot's. */
  readonly now: () => Date;
}

/** Returned by a gatherer that had no reason to ask. */
export class NotAsked {
  readonly because: NotAskedBecause;
  constructor(because: NotAskedBecause) {
    this.because = because;
  }
}

/** Learns one fact. It starts as soon as the facts that it needs and uses are settled. */
export interface Gatherer<K extends FactKey = FactKey, N extends FactKey = FactKey, U extends FactKey = FactKey, L extends FactKey = FactKey> {
  readonly fact: K;
  /** What the account needs to be allowed; the role YAML is generated from these. */
  readonly rules: readonly Rule[];
  /** Facts without which it can't know what to ask. */
  readonly needs: readonly N[];
  /** Facts that tell more where they are known. */
  readonly uses: readonly U[];
  /** Facts that it doesn't wait for, but may ask for on its way. */
  readonly later?: readonly L[];
  gather(cluster: ClusterReader, facts: Known<N> & Maybe<U> & Later<L>, input: GatherInput): Promise<FactValues[K] | NotAsked>;
}

/** Facts that settle when they are asked for. */
type Later<L extends FactKey> = { readonly [F in L]: () => Promise<Fact<FactValues[F]>> };

/** Gives a gatherer its types: reading an undeclared fact doesn't compile. */
export function defineGatherer<const K extends FactKey, const N extends FactKey, const U extends FactKey, const L extends FactKey = never>(
  gatherer: Gatherer<K, N, U, L>,
): Gatherer {
  return gatherer as unknown as Gatherer;
}
