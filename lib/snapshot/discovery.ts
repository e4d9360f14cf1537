import { type ApiAnswer, jsonAnswer, pathNotFound } from "./api-answer.ts";
import { isBuiltInGroup, type ServedResource } from "./served-resources.ts";

/** Answers `/api`, `/apis`, `/apis/<group>` and `/api(s)/…/<version>`. */
export function discoveryAnswer(path: string, served: readonly ServedResource[]): ApiAnswer {
  const [root, ...rest] = path.split("/").filter((segment) => segment !== "");
  if (root === "api" && rest.length === 0) return jsonAnswer({ kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] });
  if (root === "api" && rest.length === 1) return resourceList(served, "", rest[0] ?? "");
  if (root !== "apis") return pathNotFound(false);
  const groups = [...new Set(served.map((resource) => resource.group))].filter((group) => group !== "").sort();
  const [group = "", version] = rest;
  if (rest.length === 0) return jsonAnswer({ kind: "APIGroupList", apiVersion: "v1", groups: groups.map((name) => groupOf(served, name)) });
  if (!groups.includes(group)) return pathNotFound(isBuiltInGroup(group));
  if (rest.length === 1) return jsonAnswer({ kind: "APIGroup", apiVersion: "v1", ...groupOf(served, group) });
  return resourceList(served, group, version ?? "");
}

function groupOf(served: readonly ServedResource[], name: string): object {
  const names = [...new Set(served.filter((resource) => resource.group === name).map((resource) => resource.version))];
  const versions = names.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceList(served: readonly ServedResource[], group: string, version: string): ApiAnswer {
  const found = served.filter((resource) => resource.group === group && resource.version === version);
  if (found.length === 0) return pathNotFound(isBuiltInGroup(group));
  const resources = found.flatMap((resource) => {
    const verbs =
      resource.plural === "selfsubjectaccessreviews" ? ["create"] : resource.plural === "certificaterequests" ? ["create", "get", "list"] : ["get", "list"];
    const entry = { name: resource.plural, singularName: resource.kind.toLowerCase(), namespaced: resource.namespaced, kind: resource.kind, verbs };
    return resource.kind === "Pod" ? [entry, { ...entry, name: "pods/log", singularName: "", verbs: ["get"] }] : [entry];
  });
  // The core group's list is as old as the API, and has no apiVersion.
  const about = group === "" ? { groupVersion: version } : { apiVersion: "v1", groupVersion: `${group}/${version}` };
  return jsonAnswer({ kind: "APIResourceList", ...about, resources });
}
