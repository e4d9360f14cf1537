import type { KubeObject, Pod } from "../model/kubernetes.ts";

/** Where a cluster runs, as far as its version and its nodes' names tell. */
export type Platform = "gke" | "eks" | "eks-fargate";

/** The platform, or undefined where nothing marks one: a version of one's own making, or nodes that somebody named. */
export function platformOf(gitVersion: string, pods: readonly Pod[], nodes: readonly KubeObject[] = []): Platform | undefined {
  const names = pods.flatMap((pod) => pod.spec.nodeName ?? []);
  const marked = (label: string) => nodes.some(({ metadata }) => metadata.labels?.[label] !== undefined);
  if (names.some((name) => name.startsWith("fargate-ip-"))) return "eks-fargate";
  if (/-gke\./.test(gitVersion) || names.some((name) => name.startsWith("gke-")) || marked("cloud.google.com/gke-nodepool")) return "gke";
  return /-eks-/.test(gitVersion) || marked("eks.amazonaws.com/nodegroup") ? "eks" : undefined;
}
