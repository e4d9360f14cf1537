import { Agent } from "undici";
import { httpReader } from "./http-reader.ts";
import type { ClusterReader } from "./reader.ts";

/** Opens a snapshot that an embedded server serves at `server`. */
export function openSnapshotCluster(name: string, server: string, patience = 1): ClusterReader & { close(): Promise<void> } {
  const dispatcher = new Agent();
  const connection = { server, authorize: async () => ({ headers: {}, dispatcher }), close: () => dispatcher.destroy() };
  return httpReader(connection, { name, context: null, namespace: null, kind: "snapshot" }, patience);
}
