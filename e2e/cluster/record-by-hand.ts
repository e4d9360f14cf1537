import { recordSnapshot, writeSnapshot } from "./record.ts";

/** `node e2e/cluster/record-by-hand.ts KUBECONFIG FOLDER [NAMESPACE…]`: saves a running cluster as a plain snapshot, without those namespaces. */
const [kubeconfig, folder, ...except] = process.argv.slice(2);
if (!kubeconfig || !folder) {
  console.error("Give a kubeconfig and the folder to write, such as: node e2e/cluster/record-by-hand.ts ~/.kube/config ./snapshot certmedic");
  process.exitCode = 1;
} else {
  const snapshot = await recordSnapshot(kubeconfig, { except });
  await writeSnapshot(snapshot, folder);
  console.log(`${snapshot.objects.length} objects and ${snapshot.logs.size} logs in ${folder}`);
}
