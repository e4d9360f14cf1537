import { stringify } from "yaml";
import type { FixStep } from "../model/fix.ts";
import type { Text } from "../model/text.ts";
import { gitOpsOwnerOf, isAppliedByGitOps } from "./gitops.ts";
import { type Install, isAppliedByHelm4 } from "./install.ts";
import { resync } from "./operator.ts";

/** The version that commands name where an install doesn't tell its own: the newest release that the catalogue knows. */
export const newestVersion = "v1.21.1";
export const chart = "oci://quay.io/jetstack/charts/cert-manager";
const downloads = "https://github.com/cert-manager/cert-manager/releases/download";

/** Joins a command's parts over lines that can be pasted. */
export function lines(...parts: readonly string[]): string {
  return parts.join(" \\\n  ");
}

/**
 * `helm upgrade` of the install to its own version with some values changed and all others kept (Helm 3.14 and later). What was
 * changed by hand is undone: Helm 3 does that by itself, Helm 4 where it is told to.
 */
export function helmUpgrade(
  install: Pick<Install, "release" | "namespace" | "version"> & Partial<Pick<Install, "components">>,
  ...sets: readonly string[]
): string {
  return lines(
    `helm upgrade ${install.release} ${chart}`,
    `--namespace ${install.namespace} --version ${install.version || newestVersion}`,
    "--reset-then-reuse-values",
    ...(isAppliedByHelm4(install) ? ["--server-side=true --force-conflicts"] : []),
    ...sets.map((set) => (set.startsWith("--") ? set : `--set ${set}`)),
  );
}

/**
 * Helm 4 applies server-side and stops at fields that another manager set, such as the version label of CRDs that kubectl or Helm 3
 * applied; Helm 3 knows neither flag (catalogue 0.7.1).
 */
export const forHelm4 = '$(helm version --short | grep -q "^v4" && echo --server-side=true --force-conflicts)';

/** A first install as the documentation has it; over what is left of an earlier one with `forHelm4`. */
export function helmInstall(release = "cert-manager", namespace = "cert-manager", ...flags: readonly string[]): string {
  return lines(
    `helm upgrade --install ${release} ${chart}`,
    `--namespace ${namespace} --create-namespace --version ${newestVersion}`,
    "--set crds.enabled=true",
    ...flags,
  );
}

/** Applies the static manifest of the install's version, or one of its files. */
export function applyManifest(version: string, file: "cert-manager.yaml" | "cert-manager.crds.yaml" = "cert-manager.yaml"): string {
  return `kubectl apply -f ${downloads}/${version || newestVersion}/${file}`;
}

/** Applies what a static install is made of. The published manifest knows one name and namespace only; others are rendered from the chart. */
function applyStatic({ release, namespace, version }: Install): string {
  if (release === "cert-manager" && namespace === "cert-manager") return applyManifest(version);
  return lines(
    `helm template ${release} ${chart}`,
    `--namespace ${namespace} --version ${version || newestVersion}`,
    "--set crds.enabled=true --set startupapicheck.enabled=false | kubectl apply -f -",
  );
}

/** Asks the GitOps tool that keeps the install in step with a repository for a sync now; undefined where it doesn't name its application. */
function sync({ components }: Install): string | undefined {
  const owned = Object.values(components).find(isAppliedByGitOps);
  const owner = owned && gitOpsOwnerOf(owned);
  if (!owned || !owner?.name) return undefined;
  if (owner.tool === "Argo CD") return `argocd app sync ${owner.name}`;
  const { labels = {} } = owned.metadata;
  const kind = labels["helm.toolkit.fluxcd.io/name"] ? "helmrelease" : "kustomization";
  const namespace = labels["helm.toolkit.fluxcd.io/namespace"] ?? labels["kustomize.toolkit.fluxcd.io/namespace"] ?? "flux-system";
  return `flux reconcile ${kind} ${owner.name} --namespace ${namespace}${kind === "helmrelease" ? " --force" : " --with-source"}`;
}

/** Applies one object of the fix's own. */
export function applyObject(object: object): string {
  return `kubectl apply -f - <<'EOF'\n${stringify(object)}EOF`;
}

/** `kubectl rollout restart` of one component. */
export function restart(namespace: string, deployment: string): string {
  return `kubectl -n ${namespace} rollout restart deployment/${deployment}`;
}

/**
 * Puts the install's own objects back as its manifest has them, the way it was made first. `sets` are Helm values to
 * change on the way; without them the same step works for static manifests.
 */
export function reapply<S extends string>(
  install: Install,
  step: { title: Text<S>; changes: Text<S>; undo?: Text<S> },
  ...sets: readonly string[]
): readonly FixStep<S>[] {
  const helm: FixStep<S> = { ...step, for: "helm", command: helmUpgrade(install, ...sets), effect: "cluster" };
  const kubectl: FixStep<S> = { ...step, for: "kubectl", command: applyStatic(install), effect: "cluster" };
  if (sets.length > 0) return [helm];
  const synced = sync(install);
  // What a repository prescribes would come back over anything that is applied beside it.
  if (synced) return [{ ...step, for: "gitops", command: synced, effect: "cluster" }];
  if (install.method === "olm") return [{ ...step, for: "olm", command: resync(install), effect: "cluster" }];
  return install.method === "helm" ? [helm] : install.method === "static" ? [kubectl] : [kubectl, helm];
}
