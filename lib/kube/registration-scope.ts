import type { LabelSelector, WebhookConfiguration, WebhookEntry, WebhookRule } from "../model/kubernetes.ts";
import { certManagerResources } from "./resources.ts";

/** What keeps requests from a webhook that its registration should send there. */
export type Narrowing =
  /** Requests that no rule names: `UPDATE certificaterequests/status`. */
  | { readonly by: "rules"; readonly requests: readonly string[] }
  /** Namespaces that a selector leaves out, or lets in alone. */
  | { readonly by: "namespaces"; readonly optIn: boolean; readonly selector: LabelSelector }
  | { readonly by: "objects"; readonly selector: LabelSelector }
  | { readonly by: "conditions"; readonly names: readonly string[] };

interface Request {
  readonly operation: string;
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

const statusUpdate: Request = { operation: "UPDATE", group: "cert-manager.io", resource: "certificaterequests/status", namespaced: true };
/** Approvals are updates of a status, so that one subresource matters (catalogue 2(b)). */
const validated: readonly Request[] = [
  ...certManagerResources.flatMap(({ group, plural, namespaced }) =>
    ["CREATE", "UPDATE"].map((operation) => ({ operation, group, resource: plural as string, namespaced: namespaced as boolean })),
  ),
  statusUpdate,
];
const mutated: readonly Request[] = [{ operation: "CREATE", group: "cert-manager.io", resource: "certificaterequests", namespaced: true }];

/** The rules that cert-manager's manifests have since 1.14. */
export function shippedRules(kind: WebhookConfiguration["kind"]): readonly WebhookRule[] {
  return kind === "MutatingWebhookConfiguration"
    ? [{ apiGroups: ["cert-manager.io"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["certificaterequests"], scope: "*" }]
    : [{ apiGroups: ["cert-manager.io", "acme.cert-manager.io"], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["*/*"], scope: "*" }];
}

/** The selector of namespaces that cert-manager's manifests have since 1.14. */
export function shippedNamespaces(kind: WebhookConfiguration["kind"]): LabelSelector {
  return kind === "MutatingWebhookConfiguration"
    ? {}
    : { matchExpressions: [{ key: "cert-manager.io/disable-validation", operator: "NotIn", values: ["true"] }] };
}

/** How an entry of a registration is narrower than the one that cert-manager ships; `others` are the entries beside it. */
export function narrowings(
  kind: WebhookConfiguration["kind"],
  entry: WebhookEntry,
  namespace: string,
  others: readonly WebhookEntry[] = [],
): readonly Narrowing[] {
  const wanted = kind === "MutatingWebhookConfiguration" ? mutated : validated;
  const rules = [entry, ...others].flatMap((one) => one.rules ?? []);
  const requests = wanted
    .filter((request) => !rules.some((rule) => names(rule, request)))
    .map(({ operation, resource, group }) => `${operation} ${resource.includes("/") ? resource : `${resource}.${group}`}`);
  const selector = ownTerms(entry.namespaceSelector, namespace);
  const conditions = entry.matchConditions ?? [];
  return [
    ...(requests.length > 0 ? [{ by: "rules" as const, requests }] : []),
    ...(isEmpty(selector) ? [] : [{ by: "namespaces" as const, optIn: isOptIn(selector), selector }]),
    ...(entry.objectSelector && !isEmpty(entry.objectSelector) ? [{ by: "objects" as const, selector: entry.objectSelector }] : []),
    ...(conditions.length > 0 ? [{ by: "conditions" as const, names: conditions.map(({ name }) => name) }] : []),
  ];
}

function names({ apiGroups = [], apiVersions = ["*"], operations = [], resources = [], scope = "*" }: WebhookRule, request: Request): boolean {
  const has = (list: readonly string[], value: string) => list.includes(value) || list.includes("*");
  return (
    has(apiGroups, request.group) &&
    has(apiVersions, "v1") &&
    has(operations, request.operation) &&
    resources.some((pattern) => fits(pattern, request.resource)) &&
    (scope === "*" || (scope === "Namespaced") === request.namespaced)
  );
}

/** A star stands for resources without their subresources; only slashes reach those. */
function fits(pattern: string, resource: string): boolean {
  if (pattern === resource || pattern === "*/*") return true;
  const [main = "", sub] = resource.split("/");
  if (pattern === "*") return sub === undefined;
  return pattern === `${main}/*` || (sub !== undefined && pattern === `*/${sub}`);
}

// Azure and Google add these to every registration, so that their own namespaces aren't held up; cert-manager has the first itself.
const benignKeys = /^(?:cert-manager\.io\/disable-validation|control-plane|kubernetes\.azure\.com\/.+|admissions\.enforcer\/.+)$/;
const systemNamespace = /^(?:kube-|gke-|gmp-|calico-|tigera-|openshift|aks-)/;

/** The terms of a namespace selector that neither cert-manager nor a platform puts there. */
function ownTerms({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}, namespace: string): LabelSelector {
  const isOwnName = (name: string) => name === namespace || systemNamespace.test(name);
  return {
    matchLabels,
    matchExpressions: matchExpressions.filter(({ key, operator, values = [] }) => {
      if (operator !== "NotIn" && operator !== "DoesNotExist") return true;
      if (benignKeys.test(key)) return false;
      // Releases before 1.14 leave their own namespace out by its label.
      return !((key === "name" || key === "kubernetes.io/metadata.name") && operator === "NotIn" && values.every(isOwnName));
    }),
  };
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Whether a namespace must be marked to be looked at, instead of being marked to be left alone. */
function isOptIn({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length > 0 || matchExpressions.some(({ operator }) => operator === "In" || operator === "Exists");
}
