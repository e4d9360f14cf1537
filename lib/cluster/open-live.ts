import { httpReader } from "./http-reader.ts";
import { isInCluster, type KubeconfigChoice, openInCluster, openKubeconfig } from "./kubeconfig.ts";
import type { ClusterReader } from "./reader.ts";

/** Opens the cluster of a kubeconfig context, or the one that this pod runs in. Sends nothing yet. */
export async function openLiveCluster(choice: KubeconfigChoice): Promise<ClusterReader & { close(): Promise<void> }> {
  const inside = choice.path === undefined && choice.context === undefined && isInCluster();
  const connection = inside ? await openInCluster() : await openKubeconfig(choice);
  const { context, namespace } = connection;
  return httpReader(connection, { name: context, context: inside ? null : context, namespace, kind: inside ? "in-cluster" : "live" });
}
