import { resources } from "../kube/resources.ts";
import { acceptedForm } from "./accepted-form.ts";
import { type ApiAnswer, badRequest, jsonAnswer, methodNotAllowed, notCollected, notFound, statusAnswer } from "./api-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { apiVersionOf, isCollected, type ServedResource } from "./served-resources.ts";
import type { Answers, RecordedAnswer, Snapshot } from "./snapshot.ts";

/** Answers the creates that change nothing: access reviews, and dry runs of CertificateRequests. Every other create is refused. */
export function createAnswer(request: ApiRequest, resource: ServedResource, snapshot: Snapshot): ApiAnswer {
  const isReview = resource.plural === resources.selfsubjectaccessreviews.plural;
  const isProbe = resource.plural === resources.certificaterequests.plural && request.query.get("dryRun") === "All" && request.namespace !== undefined;
  if (!isReview && !isProbe) return methodNotAllowed;
  const form = acceptedForm(request.accept, resource.custom ? "custom" : "built-in");
  if (typeof form !== "string") return form;
  if (!/^(?:application\/json\b.*)?$/.test(request.contentType)) return unknownFormat;
  const body = parsed(request.body);
  if (!body) return unreadable(resource, request.body, "couldn't get version/kind; json parse error: unexpected end of JSON input");
  return isReview ? accessAnswer(body, snapshot.answers) : dryRunAnswer(body, request, resource, snapshot);
}

const unknownFormat = statusAnswer(
  415,
  "UnsupportedMediaType",
  "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
);

function unreadable({ kind }: ServedResource, body: string, why: string): ApiAnswer {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${body || "<empty>"})`);
}

function accessAnswer(review: JsonObject, answers: Answers): ApiAnswer {
  if (!answers.probe && !answers.access) return notCollected("access reviews");
  const asked = (objectAt(review.spec).resourceAttributes ?? {}) as { verb?: string; resource?: string; group?: string; namespace?: string };
  const fits = (wanted: string | undefined, value: string | undefined): boolean => wanted === undefined || wanted === (value ?? "");
  const answer = answers.access?.find(
    (rule) => fits(rule.verb, asked.verb) && fits(rule.resource, asked.resource) && fits(rule.group, asked.group) && fits(rule.namespace, asked.namespace),
  );
  const { kind } = resources.selfsubjectaccessreviews;
  const apiVersion = apiVersionOf(resources.selfsubjectaccessreviews);
  return jsonAnswer({ kind, apiVersion, metadata: {}, ...review, status: { allowed: answer?.allowed ?? true } }, 201);
}

function dryRunAnswer(sent: JsonObject, request: ApiRequest, resource: ServedResource, snapshot: Snapshot): ApiAnswer {
  const { namespace = "" } = request;
  const metadata = objectAt(sent.metadata);
  const spec = objectAt(sent.spec);
  const { valid, invalid } = snapshot.answers.probe ?? {};
  // What refuses a well-formed request refuses the other one too, unless that has an answer of its own.
  const recorded = isSigningRequest(spec.request) ? valid : (invalid ?? (valid && !("accepted" in valid) ? valid : undefined));
  if (!recorded) return notCollected("answers to dry-run creates");
  if (!sent.kind) return unreadable(resource, request.body, `Object 'Kind' is missing in '${request.body}'`);
  const wanted = apiVersionOf(resource);
  if (sent.apiVersion !== wanted) {
    return badRequest(`the API version in the data (${sent.apiVersion ?? ""}) does not match the expected API version (${wanted})`);
  }
  if ((metadata.namespace ?? namespace) !== namespace) {
    return badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (isGone(namespace, snapshot)) return notFound("namespaces", "", namespace);
  if (!("accepted" in recorded)) return { ...refusedAsRecorded(recorded), delayMs: recorded.delayMs };
  const stored = {
    ...sent,
    metadata: {
      ...metadata,
      name: metadata.name ?? `${metadata.generateName ?? ""}x7k2p`,
      namespace,
      uid: "00000000-0000-4000-8000-000000000000",
      generation: 1,
      creationTimestamp: snapshot.now.toISOString().replace(/\.\d+Z$/, "Z"),
    },
    // Only the mutating webhook fills in the name; without it the field isn't there.
    spec: recorded.username ? { ...spec, username: recorded.username } : spec,
  };
  return { ...jsonAnswer(stored, 201), delayMs: recorded.delayMs };
}

function refusedAsRecorded({ code, reason, message }: Exclude<RecordedAnswer, { accepted: true }>): ApiAnswer {
  // Of failures of its own the API server repeats the cause.
  const cause = reason === "InternalError" ? /^Internal error occurred: (.*)$/s.exec(message)?.[1] : undefined;
  return statusAnswer(code, reason, message, cause === undefined ? undefined : { causes: [{ message: cause }] });
}

/** Every cluster has namespaces: a snapshot without any doesn't know them. */
function isGone(namespace: string, { objects, collected }: Snapshot): boolean {
  const known = objects.filter((object) => object.kind === "Namespace");
  return isCollected({ collected }, { plural: "namespaces", group: "" }) && known.length > 0 && !known.some((one) => one.metadata.name === namespace);
}

function isSigningRequest(request: unknown): boolean {
  return typeof request === "string" && Buffer.from(request, "base64").toString("latin1").includes("-----BEGIN CERTIFICATE REQUEST-----");
}

type JsonObject = Readonly<Record<string, unknown>>;

function objectAt(value: unknown): JsonObject {
  return value !== null && typeof value === "object" ? (value as JsonObject) : {};
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
