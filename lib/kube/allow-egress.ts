import type { Deployment } from "../model/kubernetes.ts";
import { applyObject } from "./commands.ts";

/** The name of the NetworkPolicy that `allowEgress` makes. */
export function egressPolicyName(deployment: Deployment): string {
  return `${deployment.metadata.name}-allow-all-egress`;
}

/**
 * Applies a NetworkPolicy that lets a component's pods connect anywhere. Policies are judged after the Service's address was replaced, and
 * the API server's own address and port differ from cluster to cluster.
 */
export function allowEgress(deployment: Deployment): string {
  return applyObject({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: egressPolicyName(deployment), namespace: deployment.metadata.namespace },
    spec: { podSelector: { matchLabels: deployment.spec.selector?.matchLabels ?? {} }, policyTypes: ["Egress"], egress: [{}] },
  });
}
