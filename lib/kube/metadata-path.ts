/** The evidence path of one label or annotation, in kubectl's JSONPath. */
export function metadataPath(map: "labels" | "annotations", key: string): string {
  return `metadata.${map}.${key.replaceAll(".", "\\.")}`;
}
