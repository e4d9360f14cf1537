import type { Deployment } from "../model/kubernetes.ts";
import { applyObject } from "./commands.ts";
import { mainContainer } from "./install.ts";

/** The name of the NetworkPolicy that `allowWebhook` makes. */
export function policyName(webhook: Deployment): string {
  return `${webhook.metadata.name}-allow-callers`;
}

/**
 * Applies a NetworkPolicy that lets every address reach the webhook. It names ports only: the API server comes from a host, a load
 * balancer or a tunnel, which no selector describes (catalogue 0.7.9). All ports of the pod are in it, since the first policy closes the others.
 */
export function allowWebhook(webhook: Deployment): string {
  const ports = (mainContainer(webhook)?.ports ?? []).map(({ containerPort }) => ({ protocol: "TCP", port: containerPort }));
  const policy = {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: policyName(webhook), namespace: webhook.metadata.namespace },
    spec: { podSelector: { matchLabels: webhook.spec.selector?.matchLabels ?? {} }, policyTypes: ["Ingress"], ingress: [{ ports }] },
  };
  return applyObject(policy);
}

/** The name of the CiliumNetworkPolicy that `allowWebhookOnCilium` makes. */
export function ciliumPolicyName(webhook: Deployment): string {
  return `${webhook.metadata.name}-allow-api-server`;
}

/** The same for Cilium, whose policies know the API server and nodes as such, and not by their addresses (catalogue 0.7.9). */
export function allowWebhookOnCilium(webhook: Deployment, port: number): string {
  const policy = {
    apiVersion: "cilium.io/v2",
    kind: "CiliumNetworkPolicy",
    metadata: { name: ciliumPolicyName(webhook), namespace: webhook.metadata.namespace },
    spec: {
      endpointSelector: { matchLabels: webhook.spec.selector?.matchLabels ?? {} },
      ingress: [{ fromEntities: ["kube-apiserver", "remote-node", "host"], toPorts: [{ ports: [{ port: String(port), protocol: "TCP" }] }] }],
    },
  };
  return applyObject(policy);
}
