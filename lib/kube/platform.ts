import type { Pod } from "../model/kubernetes.ts";

/** Where a cluster runs, as far as its version and its nodes' names tell. */
export type Platform = "gke" | "eks" | "eks-fargate";

/** The platform, or undefined where nothing marks one: a version of one's own making, or nodes that somebody named. */
export function platformOf(gitVersion: string, pods: readonly Pod[]): Platform | undefined {
  const nodes = pods.flatMap((pod) => pod.spec.nodeName ?? []);
  if (nodes.some((node) => node.startsWith("fargate-ip-"))) return "eks-fargate";
  if (/-gke\./.test(gitVersion) || nodes.some((node) => node.startsWith("gke-"))) return "gke";
  return /-eks-/.test(gitVersion) ? "eks" : undefined;
}
