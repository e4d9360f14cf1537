import type { Snapshot, SnapshotObject } from "../../../lib/snapshot/snapshot.ts";

/**
 * The recording under the generated names and addresses of an earlier one: pods, EndpointSlices, nodes, cluster IPs. What stays the same then
 * shows no difference, and texts elsewhere that name a pod or an address stay true.
 */
export function withNamesOf(earlier: Snapshot, recording: Snapshot): Snapshot {
  const pairs = new Map<string, string>();
  const before = new Map(earlier.objects.map((object) => [role(object), object]));
  for (const object of recording.objects) {
    const old = before.get(role(object));
    if (!old) continue;
    for (const [now, then] of [
      [object.metadata.name, old.metadata.name],
      [object.metadata.uid, old.metadata.uid],
      ...addresses.map((path) => [valueAt(object, path), valueAt(old, path)]),
    ]) {
      if (typeof now === "string" && typeof then === "string" && now !== then && now !== "None") pairs.set(now, then);
    }
  }
  // Longest first: one address may begin another.
  const known = [...pairs.keys()].sort((a, b) => b.length - a.length).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (known.length === 0) return recording;
  // A lease names its holder by its pod, and something behind that: `_` and a random part, or `-external-cert-manager-controller`.
  const anyOf = new RegExp(`(?<![\\w.-])(?:${known.join("|")})(?![A-Za-z0-9]|-(?!external-))`, "g");
  const renamed = (text: string): string => text.replace(anyOf, (name) => pairs.get(name) ?? name);
  return {
    ...recording,
    objects: JSON.parse(renamed(JSON.stringify(recording.objects))) as Snapshot["objects"],
    answers: JSON.parse(renamed(JSON.stringify(recording.answers))) as Snapshot["answers"],
    reportedErrors: recording.reportedErrors.map(renamed),
    logs: new Map([...recording.logs].map(([key, text]) => [renamed(key), renamed(text)])),
  };
}

const addresses = ["spec.clusterIP", "status.podIP", "status.hostIP", "status.addresses.0.address"];

/** What an object is for, without the part of its name that is made up anew each time. */
function role({ kind, metadata }: SnapshotObject): string {
  const { generateName } = metadata as { generateName?: string };
  const name = kind === "Node" ? "" : (generateName ?? metadata.name);
  return `${kind}/${metadata.namespace ?? ""}/${name}`;
}

function valueAt(object: SnapshotObject, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}
