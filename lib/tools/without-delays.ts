import type { RecordedAnswer, Snapshot } from "../snapshot/snapshot.ts";

/** The snapshot with answers that come at once: a demo's webhook may take its time, a test shouldn't. */
export function withoutDelays(snapshot: Snapshot): Snapshot {
  const { probe, ...answers } = snapshot.answers;
  if (!probe) return snapshot;
  const atOnce = <T extends RecordedAnswer>(answer: T): T => ({ ...answer, delayMs: 0 });
  return { ...snapshot, answers: { ...answers, probe: { valid: atOnce(probe.valid), ...(probe.invalid ? { invalid: atOnce(probe.invalid) } : {}) } } };
}
