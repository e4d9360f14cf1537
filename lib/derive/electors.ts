import { flagOf, type Install, leaderElectionNamespace, mainContainer } from "../kube/install.ts";
import { isHeld, isHolder, leaseNames } from "../kube/lease.ts";
import { isPodReady } from "../kube/readiness.ts";
import { compareVersions } from "../kube/version.ts";
import type { Evidence } from "../model/check.ts";
import type { Lookup } from "../model/facts.ts";
import type { Deployment, Lease, Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";
import { installs } from "./installs.ts";

/** The component of an install that works only as the holder of its lease, with pods that are ready. */
export interface Elector {
  readonly install: Install;
  readonly deployment: Deployment;
  readonly lease: Lookup<Lease>;
  /** Those that have been ready for long enough to take a lease that is free. */
  readonly settled: readonly Pod[];
  /** The pod in whose name the lease is, whether it renews it or not. */
  readonly holder?: Pod;
  /** Whether the holder renews the lease, whoever it is. */
  readonly held: boolean;
}

/** A pod that starts takes a free lease within seconds, and one that somebody left behind when it has run out. */
const patience = 180_000;
/** Leaders renew every 15 s, so leases that were read at once differ by less. */
const together = 60_000;
/** This release of cainjector works without a lease (its defaults for leader election were missing). */
const withoutLease = "v1.14.3";

/** Those of the installs' controllers or cainjectors that elect a leader and have a ready pod. */
export function electors(
  component: "controller" | "cainjector",
  facts: { readonly deployments: readonly Deployment[]; readonly pods: readonly Pod[]; readonly leases: readonly Lookup<Lease>[] },
  now: Date,
): readonly Elector[] {
  return installs(facts).flatMap((install) => {
    const deployment = install.components[component];
    const namespace = leaderElectionNamespace(install);
    const lease = facts.leases.find(({ ref }) => ref.namespace === namespace && ref.name === leaseNames[component]);
    const ready = componentPods(facts, install, component).filter(isPodReady);
    if (!deployment || !lease || ready.length === 0 || !elects(install, deployment, component)) return [];
    const { object } = lease;
    const settled = ready.filter((pod) => now.getTime() - startOf(pod) >= patience);
    return [{ install, deployment, lease, settled, holder: ready.find((pod) => isHolder(object, pod)), held: isHeld(object, now) }];
  });
}

/** What the API server has of a lease. */
export function leaseEvidence({ ref, object }: Lookup<Lease>): readonly Evidence[] {
  if (!object) return [{ object: ref, path: "metadata", value: null }];
  return [
    { object: ref, path: "spec.holderIdentity", value: object.spec?.holderIdentity ?? null },
    { object: ref, path: "spec.renewTime", value: object.spec?.renewTime ?? null },
  ];
}

/** Settings in a file may move the lease or do without it; only flags can be seen. */
function elects(install: Install, deployment: Deployment, component: "controller" | "cainjector"): boolean {
  if (flagOf(deployment, "leader-elect") === "false") return false;
  const hasFile = mainContainer(deployment)?.args?.some((arg) => arg.startsWith("--config"));
  if (hasFile && flagOf(deployment, "leader-election-namespace") === undefined) return false;
  return component === "controller" || compareVersions(install.version, withoutLease) !== 0;
}

function startOf({ metadata, status }: Pod): number {
  const started = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ""));
  return Math.max(...started.filter((time) => !Number.isNaN(time)), Date.parse(metadata.creationTimestamp ?? "") || 0);
}

/**
 * Whether all leases stopped being renewed together: then it is as likely that they were read long before `now`, as in a
 * snapshot that took its time.
 */
export function isDoubtful({ leases }: { readonly leases: readonly Lookup<Lease>[] }, now: Date): boolean {
  const renewed = leases.flatMap(({ object }) => (object?.spec?.holderIdentity ? Date.parse(object.spec.renewTime ?? "") : []));
  if (renewed.length < 2 || leases.some(({ object }) => isHeld(object, now))) return false;
  return Math.max(...renewed) - Math.min(...renewed) < together;
}
