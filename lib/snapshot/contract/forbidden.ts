import type { Answers } from "../snapshot.ts";
import { core, type Exchange, get, issuers, post, reviews, status } from "./exchange.ts";

/** Requests of an account that may do next to nothing; `user` is its name. */
export function forbidden(user: string): readonly Exchange[] {
  const no = (whom: string, doing: string, details: object) => status(403, "Forbidden", `${whom}forbidden: User "${user}" cannot ${doing}`, details);
  const here = 'in the namespace "contract"';
  return [
    get("/api/v1/configmaps", no("configmaps is ", 'list resource "configmaps" in API group "" at the cluster scope', { kind: "configmaps" })),
    get(core("configmaps"), no("configmaps is ", `list resource "configmaps" in API group "" ${here}`, { kind: "configmaps" })),
    get(core("configmaps/x"), no('configmaps "x" is ', `get resource "configmaps" in API group "" ${here}`, { name: "x", kind: "configmaps" })),
    get(
      "/api/v1/persistentvolumes/x",
      no('persistentvolumes "x" is ', 'get resource "persistentvolumes" in API group "" at the cluster scope', { name: "x", kind: "persistentvolumes" }),
    ),
    get(
      "/apis/apps/v1/statefulsets",
      no("statefulsets.apps is ", 'list resource "statefulsets" in API group "apps" at the cluster scope', { group: "apps", kind: "statefulsets" }),
    ),
    get(core("pods/x/exec"), no('pods "x" is ', `get resource "pods/exec" in API group "" ${here}`, { name: "x", kind: "pods" })),
    post(
      issuers,
      {},
      no("issuers.cert-manager.io is ", `create resource "issuers" in API group "cert-manager.io" ${here}`, { group: "cert-manager.io", kind: "issuers" }),
    ),
    get("/metrics", no("", 'get path "/metrics"', {})),
    post(reviews, { spec: { resourceAttributes: { verb: "list", resource: "configmaps" } } }, { status: 201 }),
  ];
}

/** What that account is refused, as a snapshot has it. */
export const forbiddenAnswers: Answers = {
  refused: ["configmaps", "persistentvolumes", "statefulsets.apps", "pods/exec", "issuers.cert-manager.io", "/metrics"].map((resource) => ({
    resource,
    code: 403,
  })),
  access: [{ resource: "configmaps", allowed: false }],
};

/** A request without credentials, and a snapshot's way to have it so. */
export const unauthorized: Exchange = get("/api/v1/pods", status(401, "Unauthorized", "Unauthorized"));
export const unauthorizedAnswers: Answers = { refused: [{ code: 401 }] };
