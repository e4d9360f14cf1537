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

/** The ports by which plugins wrap pods' packets between nodes. */
const tunnels: Readonly<Partial<Record<NetworkPlugin, readonly string[]>>> = {
  calico: ["4789/udp", "51820/udp"],
  cilium: ["8472/udp", "6081/udp", "51871/udp"],
  flannel: ["8472/udp", "51820/udp"],
  weave: ["6783/tcp", "6783-6784/udp"],
};

/** The ports that nodes need open for each other; those of the usual plugins where none is seen. */
export function overlayPorts(daemonSets: readonly KubeObject[]): readonly string[] {
  const ports = networkPlugins(daemonSets).flatMap((plugin) => tunnels[plugin] ?? []);
  return [...new Set(ports.length > 0 ? ports : ["8472/udp", "4789/udp"])];
}
