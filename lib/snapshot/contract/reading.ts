import {
  as,
  asText,
  badRequest,
  core,
  deployments,
  type Exchange,
  get,
  issuers,
  listTypes,
  names,
  namespace,
  noRepresentation,
  notAcceptable,
  notAllowed,
  notFound,
  nothingThere,
  onlyAccepted,
  query,
  types,
} from "./exchange.ts";

const components = ["cert-manager", "cert-manager-cainjector", "cert-manager-webhook"] as const;
const allIssuers = "/apis/cert-manager.io/v1/issuers";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const admission = "/apis/admissionregistration.k8s.io/v1";

export const discovery: readonly Exchange[] = [
  get("/version"),
  get("/version/"),
  get("/api"),
  get("/api/v1"),
  get("/apis"),
  get("/apis/apps"),
  get("/apis/apps/v1"),
  get("/apis/cert-manager.io"),
  get("/apis/cert-manager.io/v1"),
  get("/api/v2", nothingThere),
  get("/apis/apps/v2", nothingThere),
  get("/apis/cert-manager.io/v2", "404 page not found"),
  get("/apis/nothing.example", "404 page not found"),
  get("/nothing", "404 page not found"),
  get("/version", noRepresentation("application/json"), asText),
  get("/api", noRepresentation(types), asText),
  get("/apis", onlyAccepted, asText),
  get("/apis/apps", onlyAccepted, asText),
  get("/apis/apps/v1", noRepresentation(types), asText),
  get("/apis/cert-manager.io/v1", onlyAccepted, asText),
  { method: "POST", path: "/version", says: notAllowed },
];

export const objects: readonly Exchange[] = [
  get(`${deployments}/cert-manager-webhook`),
  get("/api/v1/namespaces/cert-manager/services/cert-manager-webhook"),
  get("/api/v1/namespaces/cert-manager/secrets/cert-manager-webhook-ca"),
  get("/api/v1/namespaces/cert-manager"),
  get(`${crds}/issuers.cert-manager.io`),
  get(`${admission}/validatingwebhookconfigurations/cert-manager-webhook`),
  get(`${issuers}/a`),
  get(`${deployments}/cert-manager-webhook`, { status: 200 }, as("PartialObjectMetadata")),
  get(`${issuers}/a`, { status: 200 }, as("PartialObjectMetadata")),
  get(`${issuers}/a`, { status: 200 }, { accept: `${as("Unknown").accept},application/json` }),
  get(`${issuers}/a`, { status: 200 }, { accept: "*/*" }),

  get(core("pods/none"), notFound("pods", "none")),
  get("/api/v1/namespaces/none/pods/none", notFound("pods", "none")),
  get("/api/v1/namespaces/none", notFound("namespaces", "none")),
  get(`${deployments}/none`, notFound("deployments", "none", "apps")),
  get(`${issuers}/none`, notFound("issuers", "none", "cert-manager.io")),
  get(`${issuers}/none`, notFound("issuers", "none", "cert-manager.io"), as("PartialObjectMetadata")),
  get("/apis/cert-manager.io/v1/clusterissuers/none", notFound("clusterissuers", "none", "cert-manager.io")),
  // A subresource that a custom resource doesn't have makes the object absent.
  get(`${issuers}/a/nothing`, notFound("issuers", "a", "cert-manager.io")),

  get("/api/v1/nothing", nothingThere),
  get("/api/v2/pods", nothingThere),
  get(core("nothing"), nothingThere),
  get(core("nodes"), nothingThere),
  get("/api/v1/pods/two", nothingThere),
  get(core("pods/two/nothing"), nothingThere),
  get("/apis/apps/v1/nothing", nothingThere),
  get("/apis/apps/v2/deployments", nothingThere),
  get("/apis/cert-manager.io/v1/nothing", "404 page not found"),
  get(`${allIssuers}/a`, "404 page not found"),
  get(`/apis/cert-manager.io/v1/namespaces/${namespace}/clusterissuers`, "404 page not found"),
  get("/apis/cert-manager.io/v2/issuers", "404 page not found"),
  get("/apis/nothing.example/v1/things", "404 page not found"),

  get(`${deployments}/cert-manager-webhook`, noRepresentation(types), asText),
  get("/api/v1/namespaces/none", noRepresentation(types), asText),
  get(`${issuers}/a`, onlyAccepted, asText),
  get(`${issuers}/a`, onlyAccepted, as("Unknown")),
  get("/api/v1/namespaces/cert-manager", onlyAccepted, as("Unknown")),
  get(
    "/api/v1/namespaces/cert-manager",
    notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list (*core.Namespace)"),
    as("PartialObjectMetadataList"),
  ),
  get(`${issuers}/a`, { code: 500, message: "content is not a list" }, as("PartialObjectMetadataList")),
];

export const lists: readonly Exchange[] = [
  get(issuers, names("a", "b", "c", "d")),
  get(allIssuers, names("a", "b", "c", "d")),
  get(deployments, names(...components)),
  get("/apis/cert-manager.io/v1/namespaces/none/issuers", names()),
  get("/api/v1/namespaces/none/pods", names()),
  get(issuers, names("a", "b", "c", "d"), as("PartialObjectMetadataList")),
  get(deployments, names(...components), as("PartialObjectMetadataList")),
  get(crds),
  get(`${admission}/mutatingwebhookconfigurations`, names("cert-manager-webhook")),
  get(core("secrets"), names("s")),
  get(issuers, onlyAccepted, asText),
  get(deployments, noRepresentation(listTypes), asText),
  get(
    deployments,
    notAcceptable("you requested PartialObjectMetadata, but the requested object is a list (*apps.DeploymentList)"),
    as("PartialObjectMetadata"),
  ),
  get(
    issuers,
    notAcceptable("you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)"),
    as("PartialObjectMetadata"),
  ),
];

/** Continue tokens that no server made. */
const wrongTokens = {
  x: "illegal base64 data at input byte 0",
  "abc!d": "illegal base64 data at input byte 3",
  e30: "server does not recognize this encoded version ",
  eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIifQ: "encoded start key empty (version meta.k8s.io/v1)",
};

export const pages: readonly Exchange[] = [
  get(query(issuers, { limit: "3" }), { names: ["a", "b", "c"], left: 1 }),
  { ...get(query(issuers, { limit: "3" }), names("d")), nextPage: true },
  get(query(issuers, { limit: "1" }), { names: ["a"], left: 3 }, as("PartialObjectMetadataList")),
  get(query(allIssuers, { limit: "2" }), { names: ["a", "b"], left: 2 }),
  { ...get(query(allIssuers, { limit: "2" }), names("c", "d")), nextPage: true },
  get(query(deployments, { limit: "1" }), { names: [components[0]], left: 2 }),
  { ...get(query(deployments, { limit: "1" }), { names: [components[1]], left: 1 }), nextPage: true },
  { ...get(query(deployments, { limit: "1" }), names(components[2])), nextPage: true },
  // With a selector nothing says how much is left.
  get(query(issuers, { limit: "1", labelSelector: "app" }), names("a")),
  { ...get(query(issuers, { limit: "5", labelSelector: "app" }), names("b", "c")), nextPage: true },
  get(query(issuers, { limit: "0" }), names("a", "b", "c", "d")),
  get(query(issuers, { limit: "-1" }), names("a", "b", "c", "d")),
  get(query(issuers, { limit: "4" }), names("a", "b", "c", "d")),
  get(query(issuers, { limit: "x" }), badRequest('strconv.ParseInt: parsing "x": invalid syntax')),
  get(query(deployments, { limit: "" }), badRequest('strconv.ParseInt: parsing "": invalid syntax')),
  get(query(deployments, { limit: "99999999999999999999" }), badRequest('strconv.ParseInt: parsing "99999999999999999999": value out of range')),
  ...Object.entries(wrongTokens).flatMap(([token, why]) =>
    [issuers, deployments].map((path) =>
      get(query(path, { limit: "1", continue: token }), badRequest(`invalid continue token: continue key is not valid: ${why}`)),
    ),
  ),
];
