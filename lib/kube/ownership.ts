import type { Lookup } from "../model/facts.ts";
import type { Deployment, KubeObject } from "../model/kubernetes.ts";
import { installsIn } from "./install.ts";

/** Who an object says it belongs to: what Helm compares before it takes an object into a release (catalogue 2e). */
export interface HelmOwner {
  readonly managedByHelm: boolean;
  readonly release?: string;
  readonly namespace?: string;
}

export function helmOwnerOf(object: KubeObject): HelmOwner {
  const { labels = {}, annotations = {} } = object.metadata;
  return {
    managedByHelm: labels["app.kubernetes.io/managed-by"] === "Helm",
    release: annotations["meta.helm.sh/release-name"],
    namespace: annotations["meta.helm.sh/release-namespace"],
  };
}

/** The CRDs that are there and don't belong to a Helm release of the installs. */
export function unownedCrds(crds: readonly Lookup<KubeObject>[], deployments: readonly Deployment[]): readonly KubeObject[] {
  const releases = installsIn(deployments).filter((install) => install.method === "helm");
  return crds.flatMap(({ object }) => {
    if (!object) return [];
    const owner = helmOwnerOf(object);
    const owned = owner.managedByHelm && releases.some((install) => install.release === owner.release && install.namespace === owner.namespace);
    return owned ? [] : [object];
  });
}
