import { type Form, metadataOnly, wrongForm } from "./accepted-form.ts";
import { type ApiAnswer, badRequest, jsonAnswer, notCollected } from "./api-answer.ts";
import { type ApiRequest, notAnInteger } from "./api-request.ts";
import { continueToken, startOf } from "./continue-token.ts";
import { fieldMatcher } from "./field-selector.ts";
import { labelMatcher } from "./label-selector.ts";
import { SelectorError } from "./selector-error.ts";
import { apiVersionOf, type ServedResource } from "./served-resources.ts";
import { type SnapshotObject, storeKey } from "./snapshot.ts";

/** The API's revision: a snapshot has one. */
const resourceVersion = "1";

export interface ListScope {
  /** All objects of the kind in the asked namespace, in the API's order. */
  readonly objects: readonly SnapshotObject[];
  /** How many are stored, where the snapshot knows the number but not the objects. */
  readonly count?: number;
  /** Some namespaces were never looked at, so that finding nothing says nothing. */
  readonly partial: boolean;
}

/** Answers a list: selectors, pages, and metadata-only forms. */
export function listAnswer(request: ApiRequest, resource: ServedResource, scope: ListScope, form: Form): ApiAnswer {
  const { query } = request;
  const labels = query.get("labelSelector") ?? "";
  const fields = query.get("fieldSelector") ?? "";
  const wrongLimit = notAnInteger(query.get("limit"));
  if (wrongLimit) return badRequest(wrongLimit);
  let matching: readonly SnapshotObject[];
  try {
    const [byLabel, byField] = [labelMatcher(labels), fieldMatcher(fields, resource)];
    matching = scope.objects.filter((object) => byLabel(object) && byField(object));
  } catch (error) {
    if (error instanceof SelectorError) return badRequest(error.message);
    throw error;
  }
  const start = startOf(query.get("continue"));
  if ("wrong" in start) return badRequest(`invalid continue token: continue key is not valid: ${start.wrong}`);
  if (form === "PartialObjectMetadata") return wrongForm(form, resource);
  if (scope.partial && matching.length === 0) return notCollected(`${resource.plural} outside of its namespaces`);
  const limit = Math.max(0, Number(query.get("limit")));
  const selecting = labels !== "" || fields !== "";
  const asksOnlyTheCount = limit === 1 && start.key === "" && !selecting;
  if ((scope.count ?? 0) > scope.objects.length && !asksOnlyTheCount) return notCollected(resource.plural);
  const rest = matching.filter((object) => storeKey(object) >= start.key);
  const page = limit === 0 ? rest : rest.slice(0, limit);
  const more = limit === 0 ? 0 : rest.length - page.length + (selecting ? 0 : Math.max(0, (scope.count ?? 0) - scope.objects.length));
  const last = page.at(-1);
  const metadata = {
    resourceVersion,
    ...(more > 0 && { continue: continueToken(last ? storeKey(last) : "") }),
    // Like the real one: with a selector it doesn't count what is left.
    ...(more > 0 && !selecting && { remainingItemCount: more }),
  };
  if (form === "PartialObjectMetadataList") return jsonAnswer({ kind: form, apiVersion: "meta.k8s.io/v1", metadata, items: page.map(metadataOnly) });
  const apiVersion = apiVersionOf(resource);
  const items = page.map((object) => listed(object, resource, apiVersion));
  return jsonAnswer({ kind: `${resource.kind}List`, apiVersion, metadata: resource.custom ? { continue: "", ...metadata } : metadata, items });
}

function listed(object: SnapshotObject, resource: ServedResource, apiVersion: string): object {
  if (resource.custom) return { ...object, apiVersion };
  const { apiVersion: _version, kind: _kind, ...rest } = object;
  return rest;
}
