import { checkup } from "../checkup.ts";
import type { Checkup } from "../report/report.ts";
import { loadDemo } from "../snapshot/demo-clusters.ts";
import { applyOverlay, type Overlay } from "../snapshot/overlay.ts";
import type { SnapshotServer } from "../snapshot/server.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { openSnapshotTarget } from "../target.ts";
import { withoutDelays } from "./without-delays.ts";

/** A cluster as its difference to a demo cluster, as check fixtures and field reports have it. */
interface Case extends Overlay {
  readonly from?: string;
  readonly case?: string;
  /** What the case's own test looks for. */
  readonly expect?: unknown;
}

const bases = new Map<string, Promise<Snapshot>>();

/** A case's cluster as a snapshot. */
async function snapshotOfCase(name: string, one: Case): Promise<Snapshot> {
  const from = one.from ?? "healthy";
  let base = bases.get(from);
  if (!base) {
    base = loadDemo(process.cwd(), from).then((demo) => demo.snapshot);
    bases.set(from, base);
  }
  return withoutDelays(applyOverlay(await base, one, [name, one.case].filter(Boolean).join(": ")));
}

/** Checks a case's cluster up by the way that production takes: embedded API server, client, gatherers, facts, checks. */
export async function checkupOfCase(server: SnapshotServer, name: string, one: Case): Promise<Checkup> {
  const target = await openSnapshotTarget(await snapshotOfCase(name, one), server);
  try {
    return await checkup(target.cluster, target.input);
  } finally {
    await target.close();
  }
}
