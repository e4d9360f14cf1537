import { type ApiAnswer, jsonAnswer, notCollected, statusAnswer } from "./api-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { metadataOnly, wantsMetadataOnly } from "./metadata-only.ts";
import { fieldMatcher, labelMatcher, SelectorError } from "./selectors.ts";
import type { ServedResource } from "./served-resources.ts";
import type { SnapshotObject } from "./snapshot.ts";

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
export function listAnswer(request: ApiRequest, resource: ServedResource, scope: ListScope): ApiAnswer {
  const labels = request.query.get("labelSelector") ?? "";
  const fields = request.query.get("fieldSelector") ?? "";
  let matching: readonly SnapshotObject[];
  try {
    const [byLabel, byField] = [labelMatcher(labels), fieldMatcher(fields, resource.kind)];
    matching = scope.objects.filter((object) => byLabel(object) && byField(object));
  } catch (error) {
    if (error instanceof SelectorError) return statusAnswer(400, "BadRequest", error.message);
    throw error;
  }
  if (scope.partial && matching.length === 0) return notCollected(`${resource.plural} outside of its namespaces`);
  const limit = Number(request.query.get("limit") ?? 0);
  const start = offsetOf(request.query.get("continue"));
  if (!Number.isSafeInteger(limit) || limit < 0) return statusAnswer(400, "BadRequest", `invalid limit: "${request.query.get("limit")}"`);
  if (start === undefined) return statusAnswer(400, "BadRequest", "continue key is not valid");
  const selecting = labels !== "" || fields !== "";
  const total = selecting ? matching.length : Math.max(scope.count ?? 0, matching.length);
  const asksOnlyTheCount = limit === 1 && start === 0 && !selecting;
  if ((scope.count ?? 0) > scope.objects.length && !asksOnlyTheCount) return notCollected(resource.plural);
  const page = limit === 0 ? matching.slice(start) : matching.slice(start, start + limit);
  const remaining = limit === 0 ? 0 : total - start - page.length;
  const metadata = {
    resourceVersion,
    ...(remaining > 0 && { continue: tokenOf(start + page.length) }),
    // Like the real one: with a selector it doesn't count what is left.
    ...(remaining > 0 && !selecting && { remainingItemCount: remaining }),
  };
  if (wantsMetadataOnly(request.accept, "PartialObjectMetadataList")) {
    return jsonAnswer({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items: page.map(metadataOnly) });
  }
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  return jsonAnswer({ kind: `${resource.kind}List`, apiVersion, metadata, items: page.map((object) => listed(object, resource, apiVersion)) });
}

function listed(object: SnapshotObject, resource: ServedResource, apiVersion: string): object {
  if (resource.custom) return { ...object, apiVersion };
  const { apiVersion: _version, kind: _kind, ...rest } = object;
  return rest;
}

function tokenOf(offset: number): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", start: offset })).toString("base64url");
}

function offsetOf(token: string | null): number | undefined {
  if (!token) return 0;
  try {
    const { start } = JSON.parse(Buffer.from(token, "base64url").toString()) as { start?: unknown };
    return typeof start === "number" && Number.isSafeInteger(start) && start >= 0 ? start : undefined;
  } catch {
    return undefined;
  }
}
