import type { SnapshotObject } from "./snapshot.ts";

/** Whether an Accept header asks for this metadata-only kind before plain JSON. */
export function wantsMetadataOnly(accept: string, kind: "PartialObjectMetadata" | "PartialObjectMetadataList"): boolean {
  const first = accept
    .split(",")
    .map((type) => type.split(";").map((part) => part.trim()))
    .find(([type]) => type === "application/json");
  return first?.includes(`as=${kind}`) === true && first.includes("g=meta.k8s.io") && first.includes("v=v1");
}

/** An object without spec, status and data. */
export function metadataOnly(object: SnapshotObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}
