import { componentOf, type Install } from "../kube/install.ts";
import type { Component } from "../model/check.ts";
import type { Pod } from "../model/kubernetes.ts";

/** The pods of one component of an install: same namespace, same component, same release. */
export function componentPods(facts: { readonly pods: readonly Pod[] }, install: Install, component: Component): readonly Pod[] {
  const instance = install.components[component]?.metadata.labels?.["app.kubernetes.io/instance"];
  return facts.pods.filter(
    (pod) =>
      pod.metadata.namespace === install.namespace &&
      componentOf(pod, pod.spec.containers) === component &&
      (!instance || pod.metadata.labels?.["app.kubernetes.io/instance"] === instance),
  );
}
