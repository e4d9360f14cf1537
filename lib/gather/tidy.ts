import type { KubeObject } from "../model/kubernetes.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** The object without what only tools read; last-applied repeats whole objects and has leaked Secrets elsewhere (security.md 6). */
export function tidy<T extends KubeObject>(object: T): T {
  const { [lastApplied]: _, ...annotations } = object.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = object.metadata;
  return { ...object, metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata };
}
