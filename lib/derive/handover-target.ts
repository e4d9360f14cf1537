import type { HandoverTarget } from "../kube/crd-handover.ts";
import { type HelmOwner, helmOwnerOf } from "../kube/ownership.ts";
import type { OwnershipError } from "../kube/ownership-error.ts";
import type { InstanceCount } from "../model/facts.ts";
import type { Deployment, KubeObject } from "../model/kubernetes.ts";
import { installs } from "./installs.ts";

/**
 * The release that is to have the CRDs: the one in Helm's refusal, else the one that runs, else the documentation's. Helm names only
 * what differs, so a refusal agrees with the marks of `refused`, the CRD that it is about, in what it leaves out.
 */
export function handoverTarget(facts: { readonly deployments: readonly Deployment[] }, error?: OwnershipError, refused?: KubeObject): HandoverTarget {
  const marks: Partial<HelmOwner> = error && refused ? helmOwnerOf(refused) : {};
  const found = installs(facts);
  const running = found.find((install) => install.method === "helm") ?? found[0];
  const release = error?.wanted.release || marks.release || running?.release || "cert-manager";
  const namespace = error?.wanted.namespace || marks.namespace || running?.namespace || "cert-manager";
  const exists = found.some((install) => install.method === "helm" && install.release === release && install.namespace === namespace);
  return { release, namespace, version: running?.version ?? "", exists };
}

/** Whether it is known that none of the CRDs holds an object: a list of one object that comes back empty is no estimate. */
export function areEmpty(crds: readonly KubeObject[], counts: readonly InstanceCount[] | undefined): boolean {
  return counts !== undefined && crds.every((crd) => counts.some(({ crd: name, count }) => name === crd.metadata.name && count === 0));
}
