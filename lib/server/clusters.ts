import "server-only";
import { basename } from "node:path";
import { InputError } from "../cluster/errors.ts";
import type { ClusterView } from "../model/view.ts";
import { demoClusters } from "../snapshot/demo-clusters.ts";
import { openSnapshot } from "../snapshot/open.ts";
import { type SnapshotServer, startSnapshotServer } from "../snapshot/server.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { openLiveTarget, openSnapshotTarget, type Target } from "../target.ts";
import { dashboardSource } from "./dashboard-source.ts";
import { processState } from "./process-state.ts";

export interface Cluster {
  readonly view: ClusterView;
  open(): Promise<Target>;
}

const state = processState<{ clusters?: Promise<readonly Cluster[]> }>("clusters", () => ({}));

/** The clusters of this dashboard: the one it was started on, or the demo clusters. */
export function clusters(): Promise<readonly Cluster[]> {
  state.clusters ??= find();
  return state.clusters;
}

/** One cluster by its name in addresses, or null. */
export async function clusterNamed(name: string): Promise<Cluster | null> {
  return (await clusters()).find((cluster) => cluster.view.name === name) ?? null;
}

export async function listClusters(): Promise<readonly ClusterView[]> {
  return (await clusters()).map((cluster) => cluster.view);
}

export async function findCluster(name: string): Promise<ClusterView | null> {
  return (await clusterNamed(name))?.view ?? null;
}

async function find(): Promise<readonly Cluster[]> {
  const source = dashboardSource();
  if (source.kind === "demo") {
    const [demos, server] = await Promise.all([demoClusters(process.cwd()), startSnapshotServer()]);
    return demos.map(({ name, title, description, snapshot }) =>
      snapshotCluster({ name, title, description, kind: "snapshot", demo: true }, async () => snapshot, server),
    );
  }
  if (source.kind === "bundle") {
    const title = basename(source.path);
    const name = addressable(title);
    let snapshot: Snapshot | undefined;
    // One that couldn't be opened is opened again at the next checkup, like a kubeconfig.
    const load = async () => {
      snapshot ??= await openSnapshot(source.path);
      return snapshot;
    };
    return [snapshotCluster({ name, title, description: "", kind: "snapshot", demo: false }, load, await startSnapshotServer())];
  }
  return [await liveCluster(source)];
}

function snapshotCluster(view: ClusterView, load: () => Promise<Snapshot>, server: SnapshotServer): Cluster {
  return { view, open: async () => openSnapshotTarget({ ...(await load()), name: view.name }, server) };
}

/** One live cluster. A kubeconfig that can't be used still gives a page, on which its problem stands. */
async function liveCluster(source: { readonly path?: string; readonly context?: string }): Promise<Cluster> {
  const view = (title: string, kind: "live" | "in-cluster"): ClusterView => ({ name: addressable(title), title, description: "", kind, demo: false });
  try {
    const target = await openLiveTarget(source);
    return { view: view(target.cluster.name, target.cluster.kind === "in-cluster" ? "in-cluster" : "live"), open: async () => target };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Read again at every checkup: a mended kubeconfig needs no restart.
    return { view: view(source.context ?? "kubeconfig", "live"), open: () => openLiveTarget(source) };
  }
}

/** Context names may hold anything (EKS uses ARNs with slashes); addresses stay readable. */
function addressable(name: string): string {
  return name.replaceAll(/[^\w.@-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "cluster";
}
