import {
  asText,
  badRequest,
  dryRun,
  type Exchange,
  get,
  namespace,
  notAllowed,
  notFound,
  nothingThere,
  onlyAccepted,
  post,
  requests,
  reviews,
  status,
  types,
} from "./exchange.ts";
import { certificateRequest } from "./objects.ts";

const unrecognized = (kind: string, why: string) => badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
const endsEarly = "couldn't get version/kind; json parse error: unexpected end of JSON input";
const unknownFormat = status(415, "UnsupportedMediaType", `the body of the request was in an unknown format - accepted media types include: ${types}`);
const named = certificateRequest({ name: "named" });

export const dryRuns: readonly Exchange[] = [
  post(dryRun(requests), certificateRequest({ generateName: "contract-", namespace }), { status: 201 }),
  post(dryRun(requests), named, { status: 201 }),
  post(
    dryRun(requests),
    certificateRequest({ name: "named" }, { request: Buffer.from("not a certificate request").toString("base64") }),
    status(
      403,
      "Forbidden",
      'admission webhook "webhook.cert-manager.io" denied the request: spec.request: Invalid value: "not a certificate request": ' +
        "error decoding certificate request PEM block: no PEM data was found in given input",
    ),
  ),
  post(dryRun("/apis/cert-manager.io/v1/namespaces/none/certificaterequests"), named, notFound("namespaces", "none")),
  post(dryRun("/apis/cert-manager.io/v1/certificaterequests"), named, "404 page not found"),
  post(dryRun("/apis/nothing.example/v1/namespaces/contract/things"), {}, "404 page not found"),
  post(
    dryRun(requests),
    certificateRequest({ name: "named", namespace: "other" }),
    badRequest("the namespace of the provided object does not match the namespace sent on the request"),
  ),
  post(
    dryRun(requests),
    { ...named, apiVersion: "cert-manager.io/v2" },
    badRequest("the API version in the data (cert-manager.io/v2) does not match the expected API version (cert-manager.io/v1)"),
  ),
  post(dryRun(requests), {}, unrecognized("CertificateRequest", "Object 'Kind' is missing in '{}' ({})")),
  post(dryRun(requests), "{", unrecognized("CertificateRequest", `${endsEarly} ({)`)),
  post(dryRun(requests), "", unrecognized("CertificateRequest", `${endsEarly} (<empty>)`)),
  post(dryRun(requests), named, unknownFormat, { contentType: "text/plain" }),
  post(dryRun(requests), named, onlyAccepted, asText),
];

const reviewOf = (resourceAttributes: object) => ({ spec: { resourceAttributes } });

export const accessReviews: readonly Exchange[] = [
  post(reviews, reviewOf({ verb: "list", resource: "pods", namespace }), { status: 201 }),
  post(
    reviews,
    { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", ...reviewOf({ verb: "get", group: "apps", resource: "deployments" }) },
    { status: 201 },
  ),
  post(reviews, "{", unrecognized("SelfSubjectAccessReview", `${endsEarly} ({)`)),
  post(reviews, {}, unknownFormat, { contentType: "text/plain" }),
  get(reviews, notAllowed),
  get(`${reviews}/x`, nothingThere),
];
