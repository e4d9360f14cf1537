import { stringify } from "yaml";
import type { ChartValues } from "./chart-values.ts";
import { applyManifest, chart, forHelm4, lines, newestVersion } from "./commands.ts";
import { isAtLeast } from "./version.ts";

/** The release that shall own the CRDs, or work beside them. */
export interface HandoverTarget {
  readonly release: string;
  readonly namespace: string;
  /** The empty string stands for the newest release. */
  readonly version: string;
  /** Whether the release is there already, with values to keep. */
  readonly exists: boolean;
}

/** The chart's values that say whether the CRDs belong to the release: renamed in 1.15. */
export function crdsValues(version: string, enabled: boolean): ChartValues {
  return isAtLeast(version || newestVersion, "v1.15.0") ? { crds: { enabled } } : { installCRDs: enabled };
}

/** The same as a piece of YAML, for a chart that shall leave the CRDs alone. */
export function valuesWithoutCrds(version: string): string {
  return stringify(crdsValues(version, false)).trimEnd();
}

/** Installs or upgrades the release, which takes the CRDs over as they are (Helm 3.17 and later). */
export function takeOwnership(target: HandoverTarget): string {
  return deploy(target, true, "--take-ownership");
}

/** The same for any Helm: the CRDs are marked as the release's own before it is installed or upgraded. */
export function markAndDeploy(target: HandoverTarget, crds: readonly string[]): string {
  const names = crds.join(" ");
  return [
    `kubectl label customresourcedefinition ${names} app.kubernetes.io/managed-by=Helm --overwrite`,
    `kubectl annotate customresourcedefinition ${names} meta.helm.sh/release-name=${target.release} meta.helm.sh/release-namespace=${target.namespace} --overwrite`,
    deploy(target, true),
  ].join("\n");
}

/** Installs or upgrades the release without CRDs; those of its version are applied beside it. */
export function deployBeside(target: HandoverTarget): string {
  return `${applyManifest(target.version, "cert-manager.crds.yaml")}\n${deploy(target, false)}`;
}

/** Installs or upgrades the release beside CRDs that somebody else looks after. */
export function deployWithoutCrds(target: HandoverTarget): string {
  return deploy(target, false);
}

/** Deletes CRDs by their exact names: others of the same group belong to other products (catalogue, third-party-crds-at-risk). */
export function deleteCrds(crds: readonly string[]): string {
  return lines("kubectl delete customresourcedefinition", ...crds);
}

/** Lists what the CRDs hold. */
export function listInstances(crds: readonly string[]): string {
  return `kubectl get ${crds.join(",")} --all-namespaces`;
}

function deploy({ release, namespace, version, exists }: HandoverTarget, crds: boolean, ...flags: readonly string[]): string {
  return lines(
    `helm upgrade --install ${release} ${chart}`,
    `--namespace ${namespace} --create-namespace --version ${version || newestVersion}`,
    ...(exists ? ["--reset-then-reuse-values"] : []),
    `--set ${isAtLeast(version || newestVersion, "v1.15.0") ? "crds.enabled" : "installCRDs"}=${crds}`,
    ...flags,
    ...(crds || exists ? [forHelm4] : []),
  );
}
