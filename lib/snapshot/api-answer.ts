import type { ApiRequest } from "./api-request.ts";

/** One HTTP answer of the snapshot API, before any fault. */
export interface ApiAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** The name in the API server's own refusals. */
const user = "snapshot";

/** A JSON answer. */
export function jsonAnswer(body: unknown, code = 200): ApiAnswer {
  return { code, contentType: "application/json", body: `${JSON.stringify(body)}\n` };
}

/** A text answer, as logs are. */
export function textAnswer(body: string): ApiAnswer {
  return { code: 200, contentType: "text/plain", body };
}

/** An answer without a body. */
export const noContent: ApiAnswer = { code: 204, contentType: "", body: "" };

/** A refusal as the API server words it: a `Status` object. */
export function statusAnswer(code: number, reason: string | undefined, message: string, details?: Readonly<Record<string, unknown>>): ApiAnswer {
  return jsonAnswer({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, details, code }, code);
}

/** Refuses a request that can't be read. */
export function badRequest(message: string): ApiAnswer {
  return statusAnswer(400, "BadRequest", message);
}

/** What an API server sends for a path that it doesn't serve: a Status in its own groups, else Go's text. */
export function pathNotFound(inOwnGroup: boolean): ApiAnswer {
  if (inOwnGroup) return statusAnswer(404, "NotFound", nothingThere, {});
  return { code: 404, contentType: "text/plain; charset=utf-8", body: "404 page not found\n", headers: { "x-content-type-options": "nosniff" } };
}

const nothingThere = "the server could not find the requested resource";

/** Answers a get for an object that doesn't exist. */
export function notFound(plural: string, group: string, name: string): ApiAnswer {
  const details = group === "" ? { name, kind: plural } : { name, group, kind: plural };
  return statusAnswer(404, "NotFound", `${qualified(plural, group)} "${name}" not found`, details);
}

/** Answers a request that this snapshot can't know the answer of; clients tell it from absent by the code. */
export function notCollected(what: string): ApiAnswer {
  return statusAnswer(501, "NotCollected", `this snapshot holds no ${what}`);
}

/** Answers a request that would change something. */
export const methodNotAllowed: ApiAnswer = statusAnswer(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});

/** The answer with which an API server refuses a request for a reason of its own. */
export function refusal(request: ApiRequest, code: number, reason?: string, message?: string): ApiAnswer {
  const answer = statusAnswer(code, reason ?? reasons[code], message ?? refusalText(request, code), detailsOf(request, code));
  return code === 429 ? { ...answer, headers: { "retry-after": "1" } } : answer;
}

const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function refusalText(request: ApiRequest, code: number): string {
  switch (code) {
    case 401:
      return "Unauthorized";
    case 403:
      return forbiddenText(request);
    case 404:
      return request.plural && request.name ? `${qualified(request.plural, request.group)} "${request.name}" not found` : nothingThere;
    case 429:
      return "Too many requests, please try again later.";
    case 503:
      return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be processing the request";
    default:
      return "Internal error occurred: etcdserver: request timed out";
  }
}

function forbiddenText({ verb, group, plural, namespace, name, subresource, path }: ApiRequest): string {
  if (!plural) return `forbidden: User "${user}" cannot get path "${path}"`;
  const subject = name ? `${qualified(plural, group)} "${name}"` : qualified(plural, group);
  const resource = subresource ? `${plural}/${subresource}` : plural;
  // A namespace counts as being in itself.
  const inside = plural === "namespaces" && group === "" ? name : namespace;
  const where = inside ? `in the namespace "${inside}"` : "at the cluster scope";
  return `${subject} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}

function detailsOf(request: ApiRequest, code: number): Readonly<Record<string, unknown>> | undefined {
  if (code === 429) return { retryAfterSeconds: 1 };
  if (code === 401) return undefined;
  if (!request.plural || (code === 404 && !request.name)) return {};
  return { name: request.name, group: request.group || undefined, kind: request.plural };
}

function qualified(plural: string, group: string): string {
  return group === "" ? plural : `${plural}.${group}`;
}
