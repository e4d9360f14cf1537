import type { KubeObject } from "../model/kubernetes.ts";

/** The GitOps tool that keeps an object as its repository has it, and the application that it belongs to there (empty where unknown). */
export interface GitOpsOwner {
  readonly tool: "Argo CD" | "Flux";
  readonly name: string;
}

/**
 * Who keeps the object in step with a repository. Argo CD's other mark, the label `app.kubernetes.io/instance`, is also
 * Helm's, so it proves nothing.
 */
export function gitOpsOwnerOf(object: KubeObject): GitOpsOwner | undefined {
  const { labels = {}, annotations = {}, managedFields = [] } = object.metadata;
  const argo = annotations["argocd.argoproj.io/tracking-id"];
  if (argo) return { tool: "Argo CD", name: argo.split(":")[0] ?? "" };
  const flux = labels["kustomize.toolkit.fluxcd.io/name"] ?? labels["helm.toolkit.fluxcd.io/name"];
  if (flux) return { tool: "Flux", name: flux };
  const managers = managedFields.map((fields) => fields.manager);
  if (managers.some((manager) => manager?.startsWith("argocd-"))) return { tool: "Argo CD", name: "" };
  return managers.some((manager) => manager === "kustomize-controller") ? { tool: "Flux", name: "" } : undefined;
}

/** Whether changes made by hand would be put back from a repository. */
export function isAppliedByGitOps(object: KubeObject): boolean {
  return gitOpsOwnerOf(object) !== undefined;
}
