import { resources } from "../kube/resources.ts";
import { type ApiAnswer, jsonAnswer, methodNotAllowed, notCollected, notFound, pageNotFound, refusal } from "./api-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { isCertManagerGroup } from "./built-in-resources.ts";
import { createAnswer } from "./create.ts";
import { discoveryAnswer } from "./discovery.ts";
import { listAnswer } from "./list.ts";
import { metadataOnly, wantsMetadataOnly } from "./metadata-only.ts";
import { podLogAnswer } from "./pod-log.ts";
import { groupVersion, isCollected, type ServedResource, servedResources } from "./served-resources.ts";
import type { RefusedRequest, Snapshot, SnapshotObject } from "./snapshot.ts";

/** Answers requests as the API server of the snapshot's cluster would. */
export type SnapshotApi = (request: ApiRequest) => ApiAnswer;

/** Indexes a snapshot once, to answer many requests. */
export function snapshotApi(snapshot: Snapshot): SnapshotApi {
  const served = servedResources(snapshot);
  const byKind = indexed(snapshot.objects);
  const crdsCollected = isCollected(snapshot, resources.customresourcedefinitions);

  return (request) => {
    const refused = snapshot.answers.refused?.find((rule) => applies(rule, request));
    if (refused) return refusal(request, refused.code, refused.reason, refused.message);
    if (request.path === "/version") return readOnly(request, () => (snapshot.version ? jsonAnswer(snapshot.version) : notCollected("version")));
    if (!request.plural) return readOnly(request, () => discoveryAnswer(request.path, served));
    const resource = served.find((one) => one.group === request.group && one.version === request.version && one.plural === request.plural);
    if (!resource) return unserved(request, crdsCollected);
    if (request.verb === "create") return createAnswer(request, snapshot);
    return readOnly(request, () => read(request, resource, byKind.get(`${resource.group}/${resource.kind}`) ?? [], snapshot));
  };
}

/** A path that nothing serves is absent only where it is known what the cluster serves. */
function unserved(request: ApiRequest, crdsCollected: boolean): ApiAnswer {
  return !crdsCollected && (isCertManagerGroup(request.group) || request.group.includes(".")) ? notCollected(request.plural) : pageNotFound;
}

function readOnly(request: ApiRequest, answer: () => ApiAnswer): ApiAnswer {
  return request.verb === "get" || request.verb === "list" ? answer() : methodNotAllowed;
}

function read(request: ApiRequest, resource: ServedResource, ofKind: readonly SnapshotObject[], snapshot: Snapshot): ApiAnswer {
  const { namespaces } = snapshot.collected;
  const { namespace, name } = request;
  // A namespaced object can be asked for by name in its namespace only, a cluster-scoped one only outside.
  if (resource.namespaced ? namespace === undefined && name !== undefined : namespace !== undefined) return pageNotFound;
  const count = snapshot.answers.counts?.[`${resource.plural}.${resource.group}`];
  // Where the snapshot knows of more objects than it holds, a missing one may be among them.
  const collected = isCollected(snapshot, resource) && (count ?? 0) <= ofKind.length;
  const outside = namespace !== undefined && namespaces !== null && !namespaces.has(namespace);
  const objects = namespace === undefined ? ofKind : ofKind.filter((object) => object.metadata.namespace === namespace);
  const object = name === undefined ? undefined : objects.find((one) => one.metadata.name === name);
  if (request.subresource) {
    return resource.kind === "Pod" && request.subresource === "log" ? podLogAnswer(request, snapshot, object, collected && !outside) : pageNotFound;
  }
  if (name === undefined) {
    const countable = namespace === undefined && count !== undefined;
    if (outside || (!collected && !countable)) return notCollected(outside ? `${resource.plural} of namespace ${namespace}` : resource.plural);
    const partial = resource.namespaced && namespace === undefined && namespaces !== null;
    return listAnswer(request, resource, { objects, count: countable ? count : undefined, partial });
  }
  if (!object) return outside || !collected ? notCollected(resource.plural) : notFound(resource.plural, resource.group, name);
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  return jsonAnswer(wantsMetadataOnly(request.accept, "PartialObjectMetadata") ? metadataOnly(object) : { ...object, apiVersion });
}

function applies(rule: RefusedRequest, request: ApiRequest): boolean {
  const resource = request.subresource ? `${request.plural}/${request.subresource}` : request.plural || request.path;
  return (
    (rule.verb === undefined || rule.verb === request.verb) &&
    (rule.resource === undefined || rule.resource === resource || rule.resource === `${resource}.${request.group}`) &&
    (rule.namespace === undefined || rule.namespace === request.namespace) &&
    (rule.name === undefined || rule.name === request.name)
  );
}

/** Objects by group and kind, in the order of the API server's store. */
function indexed(objects: readonly SnapshotObject[]): ReadonlyMap<string, readonly SnapshotObject[]> {
  const key = ({ metadata }: SnapshotObject): string => `${metadata.namespace ?? ""}/${metadata.name}`;
  const index = new Map<string, SnapshotObject[]>();
  for (const object of objects) {
    const kind = `${groupVersion(object.apiVersion)[0]}/${object.kind}`;
    const list = index.get(kind);
    if (list) list.push(object);
    else index.set(kind, [object]);
  }
  for (const list of index.values()) list.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return index;
}
