import {
  as,
  asText,
  core,
  dryRun,
  type Exchange,
  get,
  issuers,
  listTypes,
  noRepresentation,
  notAllowed,
  nothingThere,
  onlyAccepted,
  post,
  requests,
} from "./exchange.ts";
import { certificateRequest } from "./objects.ts";

/** What a snapshot can't answer as its cluster would, or needn't, and what it says instead. */
export const apart: readonly (readonly [why: string, Exchange])[] = [
  ["nothing can be changed", { method: "DELETE", path: core("pods/two"), says: notAllowed }],
  ["nothing can be changed", { method: "PATCH", path: `${issuers}/a`, body: {}, contentType: "application/merge-patch+json", says: notAllowed }],
  ["nothing can be changed", { method: "PUT", path: `${issuers}/a`, body: {}, says: notAllowed }],
  ["nothing can be changed", post(issuers, {}, notAllowed)],
  ["dry runs are recorded for CertificateRequests only", post(dryRun(issuers), {}, notAllowed)],
  ["schemas aren't recorded", post(dryRun(requests), certificateRequest({ name: "x" }, { issuerRef: {} }), { status: 201 })],
  ["nobody asks for YAML", get("/api/v1/pods", noRepresentation(listTypes), { accept: "application/yaml" })],
  ["nobody asks for tables", get(issuers, onlyAccepted, as("Table"))],
  ["of subresources only logs are recorded", get("/api/v1/namespaces/contract/status", nothingThere)],
  ["groups of which nothing matters to cert-manager are left out", get("/apis/flowcontrol.apiserver.k8s.io", "404 page not found")],
  ["nobody asks about the API server's health", get("/readyz", "404 page not found", asText)],
];
