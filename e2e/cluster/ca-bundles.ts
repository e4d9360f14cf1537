import type { TestCluster } from "./cluster.ts";

/** Writes the CA bundles of cert-manager's registrations as a person or a tool would; null takes them out. */
export async function writeCaBundles(cluster: TestCluster, bundle: string | null): Promise<void> {
  const path = "/webhooks/0/clientConfig/caBundle";
  const patch = JSON.stringify([bundle === null ? { op: "remove", path } : { op: "replace", path, value: Buffer.from(bundle).toString("base64") }]);
  for (const kind of ["validatingwebhookconfiguration", "mutatingwebhookconfiguration"]) {
    await cluster.run(`kubectl patch ${kind} cert-manager-webhook --type=json -p '${patch}'`);
  }
}
