import { SelectorError } from "./selector-error.ts";
import type { ServedResource } from "./served-resources.ts";
import type { SnapshotObject } from "./snapshot.ts";

/** Built-in kinds that can be selected by more than their name, or that word a refusal of their own. */
const ownFields: Readonly<Record<string, readonly string[]>> = {
  Event: [
    ...["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((field) => `involvedObject.${field}`),
    ...["type", "reason", "reportingComponent", "source"],
  ],
  Secret: ["type"],
  Service: ["spec.clusterIP", "spec.type"],
  Pod: [
    ...["spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork"],
    ...["status.phase", "status.podIP", "status.nominatedNodeName"],
  ],
  Node: ["spec.unschedulable"],
  Namespace: ["status.phase"],
  ReplicationController: ["status.replicas"],
  Job: ["status.successful"],
  CertificateSigningRequest: ["spec.signerName"],
};

/** Reads a field selector (`metadata.name=x,type!=Normal`) for one resource; a field that it can't be selected by is an error. */
export function fieldMatcher(selector: string, resource: ServedResource): (object: SnapshotObject) => boolean {
  const parts = selector
    .split(/(?<!\\),/)
    .filter((part) => part !== "")
    .sort();
  const terms = parts.map((part) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
    if (!match) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${part}'`);
    const [, field = "", operator, value = ""] = match;
    return { field, wanted: operator !== "!=", value: value.replace(/\\(.)/g, "$1") };
  });
  for (const { field } of terms) checkField(field, resource);
  return (object) => terms.every(({ field, wanted, value }) => (fieldText(object, field) === value) === wanted);
}

function checkField(field: string, { kind, custom, namespaced, selectable }: ServedResource): void {
  const own = custom ? (selectable ?? []) : ownFields[kind];
  const byPlace = field === "metadata.name" || (field === "metadata.namespace" && (namespaced || !own));
  if (byPlace || own?.includes(field)) return;
  if (!own) throw new SelectorError(`${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
  throw new SelectorError(kind === "Job" && !custom ? `field label "${field}" not supported for Job` : `field label not supported: ${field}`);
}

/** An absent field is selected as its zero value. */
function fieldText(object: SnapshotObject, field: string): string {
  if (field === "source") return String((object.source as { component?: string } | undefined)?.component ?? "");
  let value: unknown = object;
  for (const key of field.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[key];
  if (value === undefined || value === null) return field === "spec.unschedulable" || field === "spec.hostNetwork" ? "false" : "";
  return String(value);
}
