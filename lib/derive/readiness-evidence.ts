import type { Install } from "../kube/install.ts";
import type { Component, Evidence } from "../model/check.ts";
import type { Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";

/** How many pods of a component are wanted and ready, and what state each is in. */
export function readinessEvidence(install: Install, component: Component, facts: { readonly pods: readonly Pod[] }): readonly Evidence[] {
  const deployment = install.components[component];
  if (!deployment) return [];
  const { namespace, name } = deployment.metadata;
  const object = { kind: "Deployment", namespace, name };
  const ready = deployment.status?.readyReplicas;
  return [
    { object, path: "spec.replicas", value: String(deployment.spec.replicas ?? 1) },
    { object, path: "status.readyReplicas", value: ready === undefined ? null : String(ready) },
    ...componentPods(facts, install, component).map(stateOf),
  ];
}

function stateOf({ metadata, status }: Pod): Evidence {
  const object = { kind: "Pod", namespace: metadata.namespace, name: metadata.name };
  const index = status?.containerStatuses?.findIndex(({ state }) => state?.waiting?.reason) ?? -1;
  const reason = status?.containerStatuses?.[index]?.state?.waiting?.reason;
  return reason
    ? { object, path: `status.containerStatuses[${index}].state.waiting.reason`, value: reason }
    : { object, path: "status.phase", value: status?.phase ?? null };
}
