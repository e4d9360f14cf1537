import { metadataPath } from "../kube/metadata-path.ts";
import type { Evidence } from "../model/check.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** The products that decide by the requester's name, as evidence of how much hangs on it. */
export function identityReaderEvidence(readers: Fact<readonly KubeObject[]>): readonly Evidence[] {
  const key = "app.kubernetes.io/name";
  return (knownValue(readers) ?? []).map(({ metadata }) => ({
    object: { kind: "Deployment", namespace: metadata.namespace, name: metadata.name },
    path: metadataPath("labels", key),
    value: metadata.labels?.[key] ?? null,
  }));
}
