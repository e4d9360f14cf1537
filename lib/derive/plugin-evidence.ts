import { networkPlugins } from "../kube/network-plugin.ts";
import type { Evidence } from "../model/check.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** The network plugins that the DaemonSets run, as evidence. */
export function pluginEvidence(daemonSets: readonly KubeObject[]): readonly Evidence[] {
  return daemonSets
    .filter((set) => networkPlugins([set]).length > 0)
    .map(({ metadata: { namespace, name } }) => ({ object: { kind: "DaemonSet", namespace, name }, path: "metadata.name", value: name }));
}
