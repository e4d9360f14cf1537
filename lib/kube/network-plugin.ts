import type { KubeObject } from "../model/kubernetes.ts";

/** A network plugin, or what does a Service's part of its work. */
export type NetworkPlugin = "aws" | "calico" | "cilium" | "flannel" | "weave" | "kube-proxy";

const names: Readonly<Record<NetworkPlugin, RegExp>> = {
  aws: /^aws-node$/,
  calico: /^(?:calico-node|canal|rke2-canal)$/,
  cilium: /^(?:cilium|anetd)$/,
  flannel: /^(?:kube-flannel(?:-ds.*)?|canal|rke2-canal)$/,
  weave: /^weave-net$/,
  "kube-proxy": /^kube-proxy(?:-.*)?$/,
};

/** The plugins that run as DaemonSets. Some distributions have theirs within another process, so that none is seen. */
export function networkPlugins(daemonSets: readonly KubeObject[]): readonly NetworkPlugin[] {
  return (Object.keys(names) as NetworkPlugin[]).filter((plugin) => daemonSets.some(({ metadata }) => names[plugin].test(metadata.name)));
}
