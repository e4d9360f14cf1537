import type { FixtureCase } from "../checks/fixture.ts";
import { checkup } from "../checkup.ts";
import type { Checkup } from "../report/report.ts";
import { loadDemo } from "../snapshot/demo-clusters.ts";
import { applyOverlay } from "../snapshot/overlay.ts";
import type { SnapshotServer } from "../snapshot/server.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { openSnapshotTarget } from "../target.ts";
import { withoutDelays } from "./without-delays.ts";

const bases = new Map<string, Promise<Snapshot>>();

/** A case's cluster as a snapshot. */
async function snapshotOfCase(id: string, one: FixtureCase): Promise<Snapshot> {
  const from = one.from ?? "healthy";
  let base = bases.get(from);
  if (!base) {
    base = loadDemo(process.cwd(), from).then((demo) => demo.snapshot);
    bases.set(from, base);
  }
  return withoutDelays(applyOverlay(await base, one, `${id}: ${one.case}`));
}

/** Checks a case's cluster up by the way that production takes: embedded API server, client, gatherers, facts, checks. */
export async function checkupOfCase(server: SnapshotServer, id: string, one: FixtureCase): Promise<Checkup> {
  const target = await openSnapshotTarget(await snapshotOfCase(id, one), server);
  try {
    return await checkup(target.cluster, target.input);
  } finally {
    await target.close();
  }
}
