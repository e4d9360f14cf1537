import type { Node } from "../model/kubernetes.ts";

/** A node as its cloud's own command line names it. */
export type CloudNode =
  | { readonly cloud: "gce"; readonly project: string; readonly zone: string; readonly instance: string }
  | { readonly cloud: "aws"; readonly region: string; readonly instance?: string; readonly cluster?: string };

/** Reads it from the node's providerID and labels; undefined for nodes of other clouds, and of none. */
export function cloudNodeOf({ metadata: { labels = {} }, spec }: Node): CloudNode | undefined {
  const gce = /^gce:\/\/(?<project>[^/]+)\/(?<zone>[^/]+)\/(?<instance>[^/]+)$/.exec(spec?.providerID ?? "")?.groups;
  if (gce) return { cloud: "gce", project: gce.project ?? "", zone: gce.zone ?? "", instance: gce.instance ?? "" };
  const aws = /^aws:\/\/\/(?<region>[a-z-]+-\d+)[a-z0-9-]*\/(?:(?<instance>i-[0-9a-f]+)$|.*fargate)/.exec(spec?.providerID ?? "")?.groups;
  if (!aws) return undefined;
  return { cloud: "aws", region: aws.region ?? "", instance: aws.instance, cluster: labels["alpha.eksctl.io/cluster-name"] };
}

/** Whether a node can be called from outside of its cloud's private network. */
export function isPublic({ status }: Node): boolean {
  return (status?.addresses ?? []).some(({ type }) => type === "ExternalIP");
}
