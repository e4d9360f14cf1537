/** What a request asks for, in the words of RBAC. Fields are empty or absent for paths that name no resource. */
export interface ApiRequest {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly body: string;
}

/** The headers that matter. */
export interface RequestHeaders {
  readonly accept?: string;
  readonly "content-type"?: string;
}

/** Reads method and path as the API server does; a name that isn't proper URI text makes the path name no resource. */
export function apiRequest(method: string, url: string, headers: RequestHeaders, body: string): ApiRequest {
  const { pathname, searchParams } = new URL(url, "http://snapshot");
  const segments = decoded(pathname);
  const core = segments[0] === "api";
  const [group = "", version = "", ...rest] = core ? ["", ...segments.slice(1)] : segments[0] === "apis" ? segments.slice(1) : [];
  const inNamespace = rest[0] === "namespaces" && rest.length > 2;
  const [plural = "", name, subresource] = inNamespace ? rest.slice(2) : rest;
  return {
    verb: verbOf(method, name !== undefined || plural === ""),
    path: pathname,
    query: searchParams,
    accept: headers.accept ?? "",
    contentType: headers["content-type"] ?? "",
    group,
    version,
    plural,
    namespace: inNamespace ? rest[1] : undefined,
    name,
    subresource,
    body,
  };
}

function decoded(pathname: string): string[] {
  try {
    return pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    return [];
  }
}

function verbOf(method: string, named: boolean): string {
  switch (method) {
    case "GET":
      return named ? "get" : "list";
    case "POST":
      return "create";
    case "DELETE":
      return named ? "delete" : "deletecollection";
    default:
      return method === "PATCH" ? "patch" : "update";
  }
}

/** What Go's parser says of a query parameter that must be a whole number; undefined where it is one, or absent. */
export function notAnInteger(value: string | null): string | undefined {
  if (value === null) return undefined;
  const parsing = `strconv.ParseInt: parsing ${JSON.stringify(value)}`;
  if (!/^[+-]?\d+$/.test(value)) return `${parsing}: invalid syntax`;
  return Math.abs(Number(value)) >= 2 ** 63 ? `${parsing}: value out of range` : undefined;
}
