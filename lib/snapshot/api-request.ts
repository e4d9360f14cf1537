/** What a request asks for, in the words of RBAC. Fields are empty or absent for paths that name no resource. */
export interface ApiRequest {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly body: string;
}

/** Reads method and path as the API server does; a name that isn't proper URI text makes the path name no resource. */
export function apiRequest(method: string, url: string, accept: string, body: string): ApiRequest {
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
    accept,
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
