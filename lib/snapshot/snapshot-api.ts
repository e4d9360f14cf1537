import { resources } from "../kube/resources.ts";
import { acceptedForm, metadataOnly, wrongForm } from "./accepted-form.ts";
import { type ApiAnswer, jsonAnswer, methodNotAllowed, notCollected, notFound, pathNotFound, refusal } from "./api-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { isCertManagerGroup } from "./built-in-resources.ts";
import { createAnswer } from "./create.ts";
import { discoveryAnswer } from "./discovery.ts";
import { listAnswer } from "./list.ts";
import { podLogAnswer } from "./pod-log.ts";
import { apiVersionOf, groupVersion, isBuiltInGroup, isCollected, type ServedResource, servedResources } from "./served-resources.ts";
import { type RefusedRequest, type Snapshot, type SnapshotObject, storeKey } from "./snapshot.ts";

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
    if (!request.plural) return aboutTheServer(request, snapshot, served);
    const resource = served.find((one) => one.group === request.group && one.version === request.version && one.plural === request.plural);
    if (!resource) return unserved(request, crdsCollected);
    if (isMisplaced(request, resource)) return pathNotFound(!resource.custom);
    if (request.verb === "create") return createAnswer(request, resource, snapshot);
    if (isWrite(request) || resource.plural === resources.selfsubjectaccessreviews.plural) return methodNotAllowed;
    return read(request, resource, byKind.get(`${resource.group}/${resource.kind}`) ?? [], snapshot);
  };
}

/** Version and discovery, which come as they are or not at all. */
function aboutTheServer(request: ApiRequest, snapshot: Snapshot, served: readonly ServedResource[]): ApiAnswer {
  const isVersion = /^\/version\/?$/.test(request.path);
  const answer = isVersion ? versionAnswer(snapshot) : discoveryAnswer(request.path, served);
  if (answer.code !== 200) return answer;
  if (isWrite(request)) return methodNotAllowed;
  // The groups are listed by the aggregation layer, which words refusals like those of custom resources.
  const aggregated = request.path.startsWith("/apis") && !(request.version && isBuiltInGroup(request.group));
  const form = acceptedForm(request.accept, isVersion ? "version" : aggregated ? "custom" : "built-in");
  return typeof form === "string" ? answer : form;
}

function versionAnswer({ version }: Snapshot): ApiAnswer {
  return version ? jsonAnswer(version) : notCollected("version");
}

/** A path that nothing serves is absent only where it is known what the cluster serves. */
function unserved(request: ApiRequest, crdsCollected: boolean): ApiAnswer {
  if (!crdsCollected && (isCertManagerGroup(request.group) || request.group.includes("."))) return notCollected(request.plural);
  return pathNotFound(isBuiltInGroup(request.group));
}

function isWrite({ verb }: ApiRequest): boolean {
  return verb !== "get" && verb !== "list";
}

/** A namespaced object has a path in its namespace only, a cluster-scoped one only outside; custom ones are created and changed there only, too. */
function isMisplaced({ namespace, name, verb }: ApiRequest, { namespaced, custom, plural }: ServedResource): boolean {
  if (plural === resources.selfsubjectaccessreviews.plural && name !== undefined) return true;
  if (!namespaced) return namespace !== undefined;
  return namespace === undefined && (name !== undefined || (custom && verb !== "list"));
}

function read(request: ApiRequest, resource: ServedResource, ofKind: readonly SnapshotObject[], snapshot: Snapshot): ApiAnswer {
  const { namespaces } = snapshot.collected;
  const { namespace, name, subresource } = request;
  const isLog = resource.kind === "Pod" && subresource === "log";
  if (subresource && !isLog) return resource.custom ? notFound(resource.plural, resource.group, name ?? "") : pathNotFound(true);
  const count = snapshot.answers.counts?.[`${resource.plural}.${resource.group}`];
  // Where the snapshot knows of more objects than it holds, a missing one may be among them.
  const collected = isCollected(snapshot, resource) && (count ?? 0) <= ofKind.length;
  const outside = namespace !== undefined && namespaces !== null && !namespaces.has(namespace);
  const objects = namespace === undefined ? ofKind : ofKind.filter((object) => object.metadata.namespace === namespace);
  const object = name === undefined ? undefined : objects.find((one) => one.metadata.name === name);
  if (isLog) return podLogAnswer(request, snapshot, object, collected && !outside);
  const form = acceptedForm(request.accept, resource.custom ? "custom" : name === undefined ? "built-in list" : "built-in");
  if (typeof form !== "string") return form;
  if (name === undefined) {
    const countable = namespace === undefined && count !== undefined;
    if (outside || (!collected && !countable)) return notCollected(outside ? `${resource.plural} of namespace ${namespace}` : resource.plural);
    const partial = resource.namespaced && namespace === undefined && namespaces !== null;
    return listAnswer(request, resource, { objects, count: countable ? count : undefined, partial }, form);
  }
  if (!object) return outside || !collected ? notCollected(resource.plural) : notFound(resource.plural, resource.group, name);
  if (form === "PartialObjectMetadataList") return wrongForm(form, resource);
  return jsonAnswer(form === "PartialObjectMetadata" ? metadataOnly(object) : { ...object, apiVersion: apiVersionOf(resource) });
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
  const index = new Map<string, SnapshotObject[]>();
  for (const object of objects) {
    const kind = `${groupVersion(object.apiVersion)[0]}/${object.kind}`;
    const list = index.get(kind);
    if (list) list.push(object);
    else index.set(kind, [object]);
  }
  for (const list of index.values()) list.sort((a, b) => (storeKey(a) < storeKey(b) ? -1 : 1));
  return index;
}
