import type { LabelSelector, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyRule, Pod } from "../model/kubernetes.ts";
import { isAddressIn } from "./ip-range.ts";
import { isSelectedBy } from "./label-selector.ts";

/** From where the API server's calls come, as far as the cluster tells. */
export interface Callers {
  /** Agents of a tunnel that carry the calls; undefined where it isn't known whether there are any. */
  readonly agents: readonly Pod[] | undefined;
  /** Addresses of the control plane's nodes; empty where it doesn't run on nodes of the cluster. */
  readonly addresses: readonly string[];
  /** Whether policies see nodes as nodes, never as addresses, as Cilium's do (catalogue 0.7.9). */
  readonly nodesHaveNoAddress: boolean;
}

/** Whether the calls are let in: `pods-only` and `not-nodes` say what kind of rule just misses them. */
export type Ingress = "open" | "unclear" | "pods-only" | "not-nodes" | "closed";

const order: readonly Ingress[] = ["open", "unclear", "not-nodes", "pods-only", "closed"];

/** The policies that decide who may call the pod; without any everybody may. On its node's network no policy reaches a pod. */
export function policiesOver(pod: Pod, policies: readonly NetworkPolicy[]): readonly NetworkPolicy[] {
  if (pod.spec.hostNetwork) return [];
  return policies.filter(
    ({ metadata, spec }) => metadata.namespace === pod.metadata.namespace && isAboutIngress(spec) && isSelectedBy(pod.metadata.labels, spec?.podSelector ?? {}),
  );
}

/** What these policies together do to the callers at a port of the pod. */
export function ingressAt(port: number, pod: Pod, policies: readonly NetworkPolicy[], callers: Callers): Ingress {
  if (policies.length === 0) return "open";
  const rules = policies.flatMap(({ spec }) => spec?.ingress ?? []).filter((rule) => opensPort(rule, port, pod));
  return best(rules.map((rule) => letIn(rule, pod, callers)));
}

function best(found: readonly Ingress[]): Ingress {
  return order.find((one) => found.includes(one)) ?? "closed";
}

/** Ingress is meant where nothing is said, and also by older policies that name egress rules only. */
function isAboutIngress(spec: NetworkPolicy["spec"]): boolean {
  return spec?.policyTypes === undefined || spec.policyTypes.includes("Ingress");
}

function opensPort({ ports = [] }: NetworkPolicyRule, port: number, pod: Pod): boolean {
  const names = pod.spec.containers.flatMap((container) => container.ports ?? []).filter((one) => one.containerPort === port);
  return (
    ports.length === 0 ||
    ports.some(({ protocol = "TCP", port: from, endPort }) => {
      if (protocol !== "TCP") return false;
      if (from === undefined) return true;
      if (typeof from === "string") return names.some((one) => one.name === from);
      return port >= from && port <= (endPort ?? from);
    })
  );
}

function letIn({ from = [] }: NetworkPolicyRule, pod: Pod, callers: Callers): Ingress {
  return from.length === 0 ? "open" : best(from.map((peer) => (peer.ipBlock ? byAddress(peer.ipBlock, pod, callers) : bySelector(peer, pod, callers))));
}

function byAddress({ cidr, except = [] }: NonNullable<NetworkPolicyPeer["ipBlock"]>, pod: Pod, { agents, addresses, nodesHaveNoAddress }: Callers): Ingress {
  const everybody = cidr === (pod.status?.podIP?.includes(":") ? "::/0" : "0.0.0.0/0") && except.length === 0;
  if (agents && agents.length > 0) {
    // Cilium knows pods by their labels, and these never as addresses either.
    if (nodesHaveNoAddress) return "pods-only";
    const sources = agents.flatMap(({ status }) => status?.podIP ?? []);
    return everybody || among(sources, cidr, except) === true ? "open" : "unclear";
  }
  if (nodesHaveNoAddress && addresses.length > 0) return "not-nodes";
  if (everybody) return "open";
  const inside = addresses.length > 0 ? among(addresses, cidr, except) : undefined;
  return inside === undefined ? "unclear" : inside ? "open" : "closed";
}

/** Whether all of them are in the range, or none is; undefined where it is neither, or can't be told. */
function among(addresses: readonly string[], cidr: string, except: readonly string[]): boolean | undefined {
  const inside = addresses.map((address) => {
    const excepted = except.map((range) => isAddressIn(address, range));
    return excepted.includes(true) ? false : excepted.includes(undefined) ? undefined : isAddressIn(address, cidr);
  });
  return new Set(inside).size === 1 ? inside[0] : undefined;
}

/** Selectors select pods: they never match an API server, but they may match an agent that carries its calls. */
function bySelector({ podSelector, namespaceSelector }: NetworkPolicyPeer, pod: Pod, { agents }: Callers): Ingress {
  if (!agents) return "unclear";
  const carries = agents.filter((agent) => !agent.spec.hostNetwork);
  return carries.some((agent) => isPeer(agent, podSelector, namespaceSelector, pod.metadata.namespace)) ? "open" : "pods-only";
}

function isPeer(agent: Pod, podSelector: LabelSelector | undefined, namespaceSelector: LabelSelector | undefined, own: string | undefined): boolean {
  const { namespace = "", labels } = agent.metadata;
  const inNamespace = namespaceSelector ? isSelectedBy({ "kubernetes.io/metadata.name": namespace }, namespaceSelector) : namespace === own;
  return inNamespace && isSelectedBy(labels, podSelector ?? {});
}
