import type { Evidence } from "../model/check.ts";
import type { Node } from "../model/kubernetes.ts";

/** Which cloud's machine the first of the nodes is, as evidence; nothing where it doesn't say. */
export function providerEvidence(nodes: readonly Node[]): readonly Evidence[] {
  const [node] = nodes;
  const value = node?.spec?.providerID;
  return node && value ? [{ object: { kind: "Node", name: node.metadata.name }, path: "spec.providerID", value }] : [];
}
