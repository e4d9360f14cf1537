import { isControlPlaneNode } from "../kube/control-plane.ts";
import { networkPlugins } from "../kube/network-plugin.ts";
import { type Callers, type Ingress, ingressAt, policiesOver } from "../kube/network-policy.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { KubeObject, NetworkPolicy, Node, Pod } from "../model/kubernetes.ts";
import { tunnelOf } from "./tunnel.ts";

/** What NetworkPolicies do to the API server's calls: to the pod that they treat worst. */
export interface PolicyBlock {
  readonly ingress: Ingress;
  /** Those that decide about that pod. */
  readonly policies: readonly NetworkPolicy[];
}

/** Puts the policies over the webhook's pods together with where the API server calls from. */
export function policyBlock(
  pods: readonly Pod[],
  port: number,
  facts: {
    readonly networkPolicies: readonly NetworkPolicy[];
    readonly controlPlanePods: Fact<readonly Pod[]>;
    readonly nodes: Fact<readonly Node[]>;
    readonly daemonSets: Fact<readonly KubeObject[]>;
  },
): PolicyBlock {
  const { networkPolicies, controlPlanePods, nodes, daemonSets } = facts;
  const callers: Callers = {
    agents: controlPlanePods.state === "known" ? tunnelOf(controlPlanePods.value).agents : undefined,
    addresses: (knownValue(nodes) ?? [])
      .filter(isControlPlaneNode)
      .flatMap(({ status }) => (status?.addresses ?? []).filter(isInternal).map(({ address }) => address)),
    nodesHaveNoAddress: networkPlugins(knownValue(daemonSets) ?? []).includes("cilium"),
  };
  const found = pods.map((pod) => {
    const policies = policiesOver(pod, networkPolicies);
    return { policies, ingress: ingressAt(port, pod, policies, callers) };
  });
  return severest(found) ?? { ingress: "open", policies: [] };
}

const worstFirst: readonly Ingress[] = ["closed", "pods-only", "not-nodes", "unclear", "open"];

/** One pod that answers is enough for some calls only: those that reach another one are lost. */
function severest(found: readonly PolicyBlock[]): PolicyBlock | undefined {
  return worstFirst.flatMap((ingress) => found.filter((one) => one.ingress === ingress))[0];
}

function isInternal({ type }: { readonly type: string }): boolean {
  return type === "InternalIP";
}
