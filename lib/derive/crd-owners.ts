import { helmOwnerOf } from "../kube/ownership.ts";
import type { HelmRelease, Lookup } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** A Helm release by its name and namespace, which together are its identity. */
export interface ReleaseName {
  readonly release: string;
  readonly namespace: string;
}

/** The CRDs that are there, by who they say they belong to. */
export interface CrdOwners {
  readonly present: readonly KubeObject[];
  /** Those that lack the label or one of the annotations by which Helm knows its own. */
  readonly unstamped: readonly KubeObject[];
  readonly stamped: readonly (ReleaseName & { readonly crds: readonly KubeObject[] })[];
}

export function crdOwners({ crds }: { readonly crds: readonly Lookup<KubeObject>[] }): CrdOwners {
  const present = crds.flatMap(({ object }) => object ?? []);
  const unstamped: KubeObject[] = [];
  const stamped = new Map<string, ReleaseName & { crds: KubeObject[] }>();
  for (const crd of present) {
    const { managedByHelm, release, namespace } = helmOwnerOf(crd);
    if (!managedByHelm || !release || !namespace) unstamped.push(crd);
    else {
      const key = `${namespace}/${release}`;
      const owner = stamped.get(key) ?? { release, namespace, crds: [] };
      owner.crds.push(crd);
      stamped.set(key, owner);
    }
  }
  return { present, unstamped, stamped: [...stamped.values()] };
}

/** Whether Helm still has the release. `uninstalled` ones have left a record behind; those that are being uninstalled still live. */
export type ReleaseState = "live" | "uninstalled" | "gone" | "unknown";

/** What Helm's records say of a release; undefined records are unread ones. */
export function releaseState({ release, namespace }: ReleaseName, records: readonly HelmRelease[] | undefined): ReleaseState {
  if (!records) return "unknown";
  const own = records.filter((record) => record.name === release && record.namespace === namespace);
  const newest = own.reduce<HelmRelease | undefined>((found, record) => (found && found.revision > record.revision ? found : record), undefined);
  if (!newest) return "gone";
  return newest.status === "uninstalled" ? "uninstalled" : "live";
}
