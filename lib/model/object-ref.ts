/** Names one Kubernetes object; `namespace` is absent for cluster-scoped kinds. */
export interface ObjectRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** `Kind/namespace/name`, or `Kind/name` for cluster-scoped objects: what kubectl users read. */
export function refText(ref: ObjectRef): string {
  return ref.namespace ? `${ref.kind}/${ref.namespace}/${ref.name}` : `${ref.kind}/${ref.name}`;
}

/** Whether two references name the same object. */
export function sameObject(a: ObjectRef, b: ObjectRef): boolean {
  return refText(a) === refText(b);
}
