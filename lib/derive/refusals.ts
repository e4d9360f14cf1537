import type { Install } from "../kube/install.ts";
import type { Component, Evidence } from "../model/check.ts";
import { type ContainerLog, type Fact, knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";

const forbidden = /is forbidden: User \\?"system:serviceaccount:/;

/** The newest line of each container of a component in which the API server refused it something (or that matches `pattern`), as far as logs were read. */
export function refusals(
  install: Install,
  component: Component,
  facts: { readonly pods: Fact<readonly Pod[]>; readonly logs: Fact<readonly ContainerLog[]> },
  pattern: RegExp = forbidden,
): readonly Evidence[] {
  const pods = componentPods({ pods: knownValue(facts.pods) ?? [] }, install, component);
  return (knownValue(facts.logs) ?? []).flatMap(({ namespace, pod, container, lines }) => {
    if (!pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) return [];
    const line = lines.findLast((one) => pattern.test(one));
    return line ? [{ object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: line }] : [];
  });
}
