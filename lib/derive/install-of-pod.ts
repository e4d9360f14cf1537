import { componentOf, type Install } from "../kube/install.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";
import { installs } from "./installs.ts";

/** The install that a pod belongs to, and its component's Deployment, as far as they are known. */
export function installOfPod(pod: Pod, deployments: Fact<readonly Deployment[]>): { readonly install?: Install; readonly deployment?: Deployment } {
  const component = componentOf(pod, pod.spec.containers);
  const instance = pod.metadata.labels?.["app.kubernetes.io/instance"];
  const candidates = installs({ deployments: knownValue(deployments) ?? [] }).filter((install) => install.namespace === pod.metadata.namespace);
  const install = candidates.find((one) => {
    const own = component && one.components[component]?.metadata.labels?.["app.kubernetes.io/instance"];
    return own === instance;
  });
  return { install, deployment: component && install?.components[component] };
}
