import { componentOf } from "../kube/install.ts";
import type { Component } from "../model/check.ts";
import type { ContainerStatus, Pod } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** One container of a component's pod, with what the kubelet says of it. */
export interface ComponentContainer {
  readonly pod: Pod;
  readonly subject: ObjectRef;
  readonly namespace: string;
  readonly component?: Component;
  readonly status: ContainerStatus;
  /** Where the status is in the pod, e.g. `status.containerStatuses[0]`. */
  readonly path: string;
}

/** The containers of the components' pods, sidecars too: a pod is only ready when all of them are. */
export function componentContainers(facts: { readonly pods: readonly Pod[] }): readonly ComponentContainer[] {
  return facts.pods.flatMap((pod) => {
    const namespace = pod.metadata.namespace ?? "";
    const subject = { kind: "Pod", namespace, name: pod.metadata.name };
    const component = componentOf(pod, pod.spec.containers);
    return (pod.status?.containerStatuses ?? []).map((status, index) => ({
      pod,
      subject,
      namespace,
      component,
      status,
      path: `status.containerStatuses[${index}]`,
    }));
  });
}
