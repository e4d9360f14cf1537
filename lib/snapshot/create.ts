import { type ApiAnswer, jsonAnswer, methodNotAllowed, notCollected, statusAnswer } from "./api-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Answers, RecordedAnswer, Snapshot } from "./snapshot.ts";

/** Answers the creates that change nothing: access reviews, and dry runs of CertificateRequests. Every other create is refused. */
export function createAnswer(request: ApiRequest, snapshot: Snapshot): ApiAnswer {
  const body = parsed(request.body);
  if (request.plural === "selfsubjectaccessreviews") return body ? accessAnswer(body, snapshot.answers) : unreadable;
  if (request.plural !== "certificaterequests" || request.query.get("dryRun") !== "All") return methodNotAllowed;
  return body ? dryRunAnswer(body, request, snapshot) : unreadable;
}

const unreadable = statusAnswer(400, "BadRequest", "the object provided is unrecognized (must be of type JSON)");

function accessAnswer(review: JsonObject, answers: Answers): ApiAnswer {
  if (!answers.probe && !answers.access) return notCollected("access reviews");
  const asked = (objectAt(review.spec).resourceAttributes ?? {}) as { verb?: string; resource?: string; group?: string; namespace?: string };
  const fits = (wanted: string | undefined, value: string | undefined): boolean => wanted === undefined || wanted === (value ?? "");
  const answer = answers.access?.find(
    (rule) => fits(rule.verb, asked.verb) && fits(rule.resource, asked.resource) && fits(rule.group, asked.group) && fits(rule.namespace, asked.namespace),
  );
  return jsonAnswer({ ...review, status: { allowed: answer?.allowed ?? true } }, 201);
}

function dryRunAnswer(sent: JsonObject, request: ApiRequest, snapshot: Snapshot): ApiAnswer {
  const { probe } = snapshot.answers;
  const spec = objectAt(sent.spec);
  const recorded: RecordedAnswer | undefined = isSigningRequest(spec.request) ? probe?.valid : probe?.invalid;
  if (!recorded) return notCollected("answers to dry-run creates");
  if (!("accepted" in recorded)) return { ...statusAnswer(recorded.code, recorded.reason, recorded.message), delayMs: recorded.delayMs };
  const metadata = objectAt(sent.metadata);
  const stored = {
    ...sent,
    metadata: {
      ...metadata,
      name: metadata.name ?? `${metadata.generateName ?? ""}x7k2p`,
      namespace: request.namespace,
      uid: "00000000-0000-4000-8000-000000000000",
      generation: 1,
      creationTimestamp: snapshot.now.toISOString().replace(/\.\d+Z$/, "Z"),
    },
    // Only the mutating webhook fills in the name; without it the field isn't there.
    spec: recorded.username ? { ...spec, username: recorded.username } : spec,
  };
  return { ...jsonAnswer(stored, 201), delayMs: recorded.delayMs };
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
