import { badRequest, core, deployments, type Exchange, get, issuers, names, query, requests } from "./exchange.ts";

const characters = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const keys = `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const values = `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
const invalid = (path: string, value: string, why: string) => `unable to parse requirement: ${path}: Invalid value: "${value}": ${why}`;

/** Which Issuers a label selector finds, or why it is refused. */
const byLabels: readonly (readonly [string, readonly string[] | string])[] = [
  ["app=web", ["a", "b"]],
  ["app==web,tier", ["a"]],
  ["app!=web", ["c", "d"]],
  ["app in (web, db)", ["a", "b", "c"]],
  ["app notin (web,db)", ["d"]],
  ["app in (db),!tier", ["c"]],
  ["tier", ["a"]],
  ["!app", ["d"]],
  ["app=", []],
  ["app in ()", []],
  ["app in (,web)", ["a", "b"]],
  ["size>5", ["b"]],
  ["size<5", ["a"]],
  ["", ["a", "b", "c", "d"]],
  ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ["a===b", "unable to parse requirement: found '=', expected: identifier"],
  ["a in x", "unable to parse requirement: found 'x' expected: '('"],
  ["a in (x,y", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["a=b=c", "found '=', expected: ',' or 'end of string'"],
  [",", "found ',', expected: !, identifier, or 'end of string'"],
  ["=x", "found '=', expected: !, identifier, or 'end of string'"],
  ["a,", "found '', expected: identifier after ','"],
  ["size>x", invalid("values[0]", "x", "for 'Gt', 'Lt' operators, the value must be an integer")],
  ["a=-x", invalid("values[0][a]", "-x", `a valid label must be an empty string or consist of ${characters} ${values}`)],
  ["-a", invalid("<nil>", "-a", `name part must consist of ${characters} ${keys}`)],
  [
    "a/b/c",
    invalid(
      "<nil>",
      "a/b/c",
      `a valid label key must consist of ${characters} ${keys} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ),
  ],
];

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** What a field selector finds, or why it is refused. */
const byFields: readonly (readonly [string, string, readonly string[] | string])[] = [
  [core("events"), "reason=Contract", ["e"]],
  [core("events"), "reason=Contract,type!=Normal,involvedObject.kind==Pod,involvedObject.name=two", ["e"]],
  [core("events"), "source=contract", ["e"]],
  [core("secrets"), "type=contract.example/plain", ["s"]],
  [core("pods"), "status.phase=Pending", ["unscheduled"]],
  [core("pods"), "spec.nodeName=,metadata.namespace=contract", ["unscheduled"]],
  [core("pods"), "metadata.name=two,status.phase!=Running", []],
  [issuers, "metadata.name=b", ["b"]],
  [issuers, "metadata.namespace=other", []],
  [requests, "spec.issuerRef.name=first", ["one"]],
  [requests, "spec.issuerRef.name!=first", []],
  ["/api/v1/pods", "foo=x", "field label not supported: foo"],
  ["/api/v1/pods", "status.phase=Running,foo=1,bar=2", "field label not supported: bar"],
  ["/api/v1/nodes", "metadata.namespace=x", "field label not supported: metadata.namespace"],
  [issuers, "foo=x", "field label not supported: foo"],
  [issuers, "spec.issuerRef.name=x", "field label not supported: spec.issuerRef.name"],
  ["/apis/cert-manager.io/v1/clusterissuers", "metadata.namespace=x", "field label not supported: metadata.namespace"],
  ["/apis/batch/v1/jobs", "foo=x", 'field label "foo" not supported for Job'],
  [deployments, "foo=x", '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  [crds, "foo=x", '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ["/api/v1/pods", "a", "invalid selector: 'a'; can't understand 'a'"],
  [issuers, "metadata.name=a,b", "invalid selector: 'metadata.name=a,b'; can't understand 'b'"],
];

/** More than one mistake: the first of them in this order is told. */
const wrong = { continue: "x", fieldSelector: "foo=x", labelSelector: "a=b=c", limit: "x" };
const { limit: _, ...wrongButLimit } = wrong;
const { labelSelector: __, ...wrongFieldAndToken } = wrongButLimit;

export const selectors: readonly Exchange[] = [
  ...byLabels.map(([labelSelector, found]) => get(query(issuers, { labelSelector }), saysOf(found))),
  ...byFields.map(([path, fieldSelector, found]) => get(query(path, { fieldSelector }), saysOf(found))),
  get(query("/api/v1/pods", wrong), badRequest('strconv.ParseInt: parsing "x": invalid syntax')),
  get(query("/api/v1/pods", wrongButLimit), badRequest("found '=', expected: ',' or 'end of string'")),
  get(query("/api/v1/pods", wrongFieldAndToken), badRequest("field label not supported: foo")),
];

function saysOf(found: readonly string[] | string) {
  return typeof found === "string" ? badRequest(found) : names(...found);
}
