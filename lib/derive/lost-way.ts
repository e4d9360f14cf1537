import { isPublic } from "../kube/cloud-node.ts";
import { isControlPlaneNode } from "../kube/control-plane.ts";
import { networkPlugins } from "../kube/network-plugin.ts";
import { type Platform, platformOf } from "../kube/platform.ts";
import { isReady } from "../kube/readiness.ts";
import { outlastsHandshake } from "../kube/webhook-failure.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import type { Outcome } from "../model/check.ts";
import { type Fact, type FactKey, type Known, knownValue, type Lookup, type Maybe } from "../model/facts.ts";
import type { Node, Pod, Service } from "../model/kubernetes.ts";
import { apiServerProxies } from "./api-server-proxies.ts";
import { type CalledWebhook, calledWebhook } from "./called-webhook.ts";
import { policyBlock } from "./policy-block.ts";
import { tunnelOf } from "./tunnel.ts";
import { type FailedWebhookCall, webhookCall } from "./webhook-call.ts";

/** What outside of cert-manager may lose calls to it. The cluster's API can't prove any of these, so one is named at a time. */
export type Suspect = "gke-private-firewall" | "eks-custom-cni" | "eks-security-group" | "service-vip-unreachable-from-control-plane" | "overlay-firewall";

/** The facts that checks of a suspect need, and those that sharpen the suspicion. */
export const wayNeeds = [
  "nodes",
  "daemonSets",
  "controlPlanePods",
  "networkPolicies",
  "pluginPolicies",
  "pods",
  "deployments",
] as const satisfies readonly FactKey[];
export const wayUses = ["apiProbe", "reportedErrors", "version", "webhookServices"] as const satisfies readonly FactKey[];
type WayFacts = Known<(typeof wayNeeds)[number]> & Maybe<(typeof wayUses)[number]>;

/** A call that was lost on its way, to a webhook that is ready, with nothing in the cluster that proves why. */
export interface LostWay {
  readonly made: FailedWebhookCall;
  readonly called: CalledWebhook & Required<Pick<CalledWebhook, "install" | "webhook">>;
  readonly port: number;
  /** The nodes of the webhook's pods, or others where these aren't known. */
  readonly nodes: readonly Node[];
}

/** What the suspect's check says where no call was lost, or something else explains it better; the lost call where the suspicion falls on it. */
export function lostWay(suspect: Suspect, facts: WayFacts): LostWay | Outcome<"elsewhere"> {
  const { nodes, daemonSets, controlPlanePods, networkPolicies, pluginPolicies, pods, deployments, apiProbe, reportedErrors, version, webhookServices } = facts;
  const elsewhere = { status: "not-applicable", because: { key: "elsewhere" } } as const;
  const made = webhookCall({ apiProbe, reportedErrors });
  if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
  if (made.outcome === "answered") return { status: "pass" };
  const loss = made.outcome === "failed" ? lossOf(made) : undefined;
  if (made.outcome !== "failed" || !loss) return elsewhere;
  const called = calledWebhook(made.call, { deployments: known(deployments), pods: known(pods) });
  const { install, webhook } = called;
  if (!install || !webhook || !isReady(webhook)) return elsewhere;
  const port = declaredPort(webhook) ?? kubeletPort;
  const tunnel = tunnelOf(controlPlanePods);
  const policy = policyBlock(called.pods, port, {
    networkPolicies,
    controlPlanePods: known(controlPlanePods),
    nodes: known(nodes),
    daemonSets: known(daemonSets),
  });
  const proven = policy.ingress !== "open" || pluginPolicies.length > 0 || tunnel.down || apiServerProxies(controlPlanePods, made.call).length > 0;
  if (proven) return elsewhere;
  const own = nodes.filter(({ metadata }) => called.pods.some(({ spec }) => spec.nodeName === metadata.name));
  const gitVersion = knownValue(version)?.gitVersion ?? "";
  const likely = suspectOf({
    loss,
    platform: platformOf(gitVersion, called.pods, nodes),
    gitVersion,
    oddPort: port !== kubeletPort && port !== 443,
    onHost: webhook.spec.template.spec.hostNetwork === true,
    pods: called.pods,
    nodes,
    own,
    plugins: networkPlugins(daemonSets),
    tunnelled: tunnel.agents.length > 0,
    dialedService: isServiceAddress(made, knownValue(webhookServices) ?? []),
  });
  if (likely !== suspect) return elsewhere;
  return { made, called: { ...called, install, webhook }, port, nodes: own.length > 0 ? own : nodes.slice(0, 1) };
}

interface Signs {
  readonly loss: "dropped" | "unclear";
  readonly platform: Platform | undefined;
  readonly gitVersion: string;
  readonly oddPort: boolean;
  readonly onHost: boolean;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly own: readonly Node[];
  readonly plugins: ReturnType<typeof networkPlugins>;
  readonly tunnelled: boolean;
  readonly dialedService: boolean;
}

/** Words that also a slow webhook explains suffice only beside a sign of their own in the cluster. */
function suspectOf(signs: Signs): Suspect | undefined {
  const { loss, platform, gitVersion, oddPort, onHost, pods, nodes, own, plugins, tunnelled, dialedService } = signs;
  const dropped = loss === "dropped";
  if (platform === "gke") {
    return oddPort || (dropped && !tunnelled && !own.some(isPublic)) ? "gke-private-firewall" : undefined;
  }
  if (platform === "eks" && !onHost && !plugins.includes("aws") && !pods.every((pod) => isBesideNode(pod, nodes))) return "eks-custom-cni";
  if (platform) return dropped ? "eks-security-group" : undefined;
  if (!dropped || tunnelled) return undefined;
  const controlPlane = nodes.filter(isControlPlaneNode);
  if (controlPlane.length > 0) return own.length > 0 && !own.some(isControlPlaneNode) && !onHost ? "overlay-firewall" : undefined;
  // These distributions have kube-proxy within their own process; without any plugin in sight nothing is known of it.
  const proxies = plugins.length === 0 || plugins.includes("kube-proxy") || /\+(?:k3s|rke2)/.test(gitVersion);
  return dialedService && !proxies ? "service-vip-unreachable-from-control-plane" : undefined;
}

/** How a call was lost: `dropped` where the API server got no connection, `unclear` where its time was up before that could be told. */
function lossOf({ call }: FailedWebhookCall): "dropped" | "unclear" | undefined {
  const noConnection =
    /(?<!proxyconnect tcp: )dial tcp [\d.[][^ ]*: (?:i\/o timeout|connect: (?:connection timed out|no route to host|network is unreachable))|while waiting for connection|Address is not allowed/;
  if (noConnection.test(call.reason) || outlastsHandshake(call)) return "dropped";
  return call.reason.startsWith("context deadline exceeded") ? "unclear" : undefined;
}

/** Whether a pod has an address out of a node's own network, as far as its first half tells: a VPC's range is never larger. */
function isBesideNode({ status }: Pod, nodes: readonly Node[]): boolean {
  const half = (address: string | undefined) => address?.split(".").slice(0, 2).join(".");
  return nodes.some((node) => (node.status?.addresses ?? []).some(({ type, address }) => type === "InternalIP" && half(address) === half(status?.podIP)));
}

/** Whether the address that was dialed is the Service's, which only a node's own network turns into a pod's. */
function isServiceAddress({ call }: FailedWebhookCall, services: readonly Lookup<Service>[]): boolean {
  const service = services.find(({ ref }) => ref.namespace === call.namespace && ref.name === call.service)?.object;
  const address = /dial tcp \[?(?<address>[\d.]+|[\da-f:]+)\]?:\d+: /.exec(call.reason)?.groups?.address;
  return address !== undefined && service?.spec?.clusterIP === address;
}

function known<T>(value: T): Fact<T> {
  return { state: "known", value };
}
