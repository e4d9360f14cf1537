import { type Install, mainContainer } from "../kube/install.ts";
import { isPodReady } from "../kube/readiness.ts";
import type { ContainerLog, Fact } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import type { Event, Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";
import { timeOf } from "./image-pulls.ts";

/** A webhook pod that runs and isn't ready. */
export interface UnreadyWebhook {
  readonly pod: Pod;
  readonly container: string;
  /** Since when its container runs; NaN where nothing tells. */
  readonly since: number;
  /** What the kubelet said of its readiness probe last. */
  readonly probe?: Event;
  readonly lines: readonly string[];
}

/** The webhook pods of an install that run and aren't ready, with what kubelet and log say of them. */
export function unreadyWebhooks(
  install: Install,
  facts: { readonly pods: readonly Pod[]; readonly events: Fact<readonly Event[]>; readonly logs: Fact<readonly ContainerLog[]> },
): readonly UnreadyWebhook[] {
  const container = (install.components.webhook && mainContainer(install.components.webhook)?.name) ?? "";
  return componentPods({ pods: facts.pods }, install, "webhook").flatMap((pod) => {
    const status = pod.status?.containerStatuses?.find((one) => one.name === container);
    if (!status?.state?.running || isPodReady(pod) || pod.metadata.deletionTimestamp) return [];
    const { name, namespace } = pod.metadata;
    const probes = (knownValue(facts.events) ?? []).filter(
      ({ involvedObject: of, reason, message = "" }) =>
        of.kind === "Pod" && of.namespace === namespace && of.name === name && reason === "Unhealthy" && message.startsWith("Readiness probe failed"),
    );
    const log = knownValue(facts.logs)?.find((one) => one.namespace === namespace && one.pod === name && one.container === container);
    const probe = probes.sort((a, b) => timeOf(b) - timeOf(a))[0];
    return [{ pod, container, since: Date.parse(status.state.running.startedAt ?? ""), ...(probe ? { probe } : {}), lines: log?.lines ?? [] }];
  });
}
