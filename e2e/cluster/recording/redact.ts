import { resources } from "../../../lib/kube/resources.ts";
import type { Metadata } from "../../../lib/model/kubernetes.ts";
import type { SnapshotObject } from "../../../lib/snapshot/snapshot.ts";

/** Kinds of which the product asks who wrote them. */
const withManagers: readonly string[] = [
  resources.deployments.kind,
  resources.leases.kind,
  resources.customresourcedefinitions.kind,
  resources.validatingwebhookconfigurations.kind,
  resources.mutatingwebhookconfigurations.kind,
];

/** A second copy of the whole object. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const onlyCertificates = /^(?:\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** The object as a recording keeps it: of a Secret's data only certificates, no schemas, of managedFields only who and when. */
export function redacted(object: SnapshotObject): SnapshotObject {
  const rest = { ...object, metadata: keptMetadata(object) };
  if (object.kind === "Secret" && object.data) return { ...rest, data: certificatesOf(object.data as Record<string, string>) };
  if (object.kind === "CustomResourceDefinition") return { ...rest, spec: withoutSchemas(object.spec) };
  return rest;
}

function keptMetadata({ kind, metadata }: SnapshotObject): Metadata {
  const { managedFields, annotations, ...rest } = metadata;
  const { [lastApplied]: _, ...kept } = annotations ?? {};
  return {
    ...rest,
    ...(Object.keys(kept).length > 0 ? { annotations: kept } : {}),
    ...(managedFields && withManagers.includes(kind) ? { managedFields: managedFields.map(shortly) } : {}),
  };
}

/** What of an object's fields the product asks who wrote it: the number of replicas, a CRD's conversion, when a lease was renewed. */
const askedFor: readonly string[] = ["f:replicas", "f:conversion", "f:renewTime"];

/** Who and when; of what was written, only what is asked for. */
function shortly({ fieldsV1, ...manager }: NonNullable<Metadata["managedFields"]>[number]) {
  const spec = (fieldsV1 as { "f:spec"?: object } | undefined)?.["f:spec"];
  const written = spec && Object.fromEntries(Object.entries(spec).filter(([field]) => askedFor.includes(field)));
  return written && Object.keys(written).length > 0 ? { ...manager, fieldsV1: { "f:spec": written } } : manager;
}

function certificatesOf(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => onlyCertificates.test(Buffer.from(value, "base64").toString("latin1"))));
}

function withoutSchemas(spec: unknown): object {
  const { versions = [], ...rest } = (spec ?? {}) as { versions?: readonly Record<string, unknown>[] };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return { ...rest, versions: versions.map(({ additionalPrinterColumns: _, ...version }) => ({ ...version, schema })) };
}
