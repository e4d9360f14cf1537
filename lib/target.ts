import type { CheckupInput } from "./checkup.ts";
import type { KubeconfigChoice } from "./cluster/kubeconfig.ts";
import { openSnapshotCluster } from "./cluster/open-snapshot.ts";
import type { ClusterReader } from "./cluster/reader.ts";
import { type SnapshotServer, startSnapshotServer } from "./snapshot/server.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** Something to check up: a live cluster or a snapshot of one, ready to be read. */
export interface Target {
  readonly cluster: ClusterReader;
  readonly input: Pick<CheckupInput, "reportedErrors" | "readSecrets" | "now">;
  close(): Promise<void>;
}

/** A live cluster, by kubeconfig or as the account of this pod. Nothing is sent yet. */
export async function openLiveTarget(choice: KubeconfigChoice): Promise<Target> {
  // The Kubernetes client takes most of a second to load: only a live cluster pays for it.
  const { openLiveCluster } = await import("./cluster/open-live.ts");
  const cluster = await openLiveCluster(choice);
  // Secrets are for the user's own identity (security.md 1).
  return { cluster, input: { reportedErrors: [], readSecrets: cluster.kind === "live", now: () => cluster.now() }, close: () => cluster.close() };
}

/** A snapshot, served by an embedded server of its own, or by one that serves many. */
export async function openSnapshotTarget(snapshot: Snapshot, shared?: SnapshotServer): Promise<Target> {
  const server = shared ?? (await startSnapshotServer());
  const cluster = openSnapshotCluster(snapshot.name, server.mount(snapshot.name, snapshot));
  return {
    cluster,
    input: { reportedErrors: snapshot.reportedErrors, readSecrets: true, now: () => snapshot.now },
    async close() {
      server.unmount(snapshot.name);
      await cluster.close();
      if (!shared) await server.close();
    },
  };
}
