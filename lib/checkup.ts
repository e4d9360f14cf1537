import { diagnose } from "./checks/diagnose.ts";
import type { ClusterReader } from "./cluster/reader.ts";
import { gather } from "./gather/run.ts";
import { defaultWindows, type Windows } from "./model/check.ts";
import type { Facts } from "./model/facts.ts";
import type { Checkup } from "./report/report.ts";

export interface CheckupInput {
  readonly reportedErrors: readonly string[];
  readonly readSecrets: boolean;
  /** The cluster's time, or the snapshot's. */
  readonly now: () => Date;
  readonly windows?: Windows;
}

/**
 * The whole walk: reads the cluster once, then judges what was read. `onProgress` sees a checkup that isn't final yet
 * whenever another fact is in. Rejects where nothing at all can be read.
 */
export async function checkup(cluster: ClusterReader, input: CheckupInput, onProgress?: (soFar: Checkup) => void): Promise<Checkup> {
  const started = performance.now();
  const before = { ...cluster.traffic };
  const judge = (facts: Facts, final: boolean): Checkup => {
    const now = input.now();
    return {
      cluster: { name: cluster.name, context: cluster.context },
      facts,
      diagnosis: diagnose(facts, now, input.windows ?? defaultWindows),
      now,
      final,
      requests: cluster.traffic.requests - before.requests,
      bytes: cluster.traffic.bytes - before.bytes,
      durationMs: Math.round(performance.now() - started),
    };
  };
  const facts = await gather(cluster, input, onProgress && ((soFar) => onProgress(judge(soFar, false))));
  return judge(facts, true);
}
