import type { Fact } from "../model/facts.ts";
import { knownValue, type Lookup } from "../model/facts.ts";
import type { Deployment, Lease, Pod } from "../model/kubernetes.ts";
import { electors } from "./electors.ts";
import { installs } from "./installs.ts";

/** Whether some cainjector of the cluster is ready and has its lease, as far as that can be seen: one does the work for all of it. */
export function hasWorkingCainjector(
  facts: { readonly deployments: readonly Deployment[]; readonly pods: Fact<readonly Pod[]>; readonly leases: Fact<readonly Lookup<Lease>[]> },
  now: Date,
): boolean {
  const ready = installs(facts).filter(({ components: { cainjector } }) => (cainjector?.status?.readyReplicas ?? 0) > 0);
  const seen = electors("cainjector", { deployments: facts.deployments, pods: knownValue(facts.pods) ?? [], leases: knownValue(facts.leases) ?? [] }, now);
  return ready.some((install) => {
    const elector = seen.find((one) => one.install === install);
    return !elector || (elector.held && elector.holder !== undefined);
  });
}
