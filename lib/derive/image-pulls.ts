import { componentOf, type Install } from "../kube/install.ts";
import { waitsForImage } from "../kube/readiness.ts";
import type { Component, Evidence, Pattern } from "../model/check.ts";
import type { Fact } from "../model/facts.ts";
import type { Deployment, Event, Pod } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import { installOfPod } from "./install-of-pod.ts";

/** An image that a component's pods wait for, all for the same reason. */
export interface FailedPull {
  /** The pod, or the Deployment where several of its pods wait. */
  readonly subject: ObjectRef;
  readonly pods: readonly Pod[];
  readonly component?: Component;
  readonly namespace: string;
  readonly install?: Install;
  readonly deployment?: Deployment;
  readonly container: string;
  readonly image: string;
  /** What the kubelet says is wrong; null where neither the pod nor an event tells. */
  readonly cause: string | null;
  readonly evidence: readonly Evidence[];
}

/** The pulls that fail, each component's pods together that wait for the same image. `cause` keeps what it matches, or all. */
export function failedPulls(
  facts: { readonly pods: readonly Pod[]; readonly events: readonly Event[]; readonly deployments: Fact<readonly Deployment[]> },
  cause?: readonly Pattern[],
): readonly FailedPull[] {
  const groups = new Map<string, FailedPull[]>();
  for (const pod of facts.pods.filter(waitsForImage)) {
    for (const pull of pullsOf(pod, facts.events, facts.deployments)) {
      if (cause && !cause.some((pattern) => pattern.text.test(pull.cause ?? ""))) continue;
      const key = [pull.namespace, pod.metadata.labels?.["app.kubernetes.io/instance"], pull.component, pull.container, pull.image].join("\n");
      groups.set(key, [...(groups.get(key) ?? []), pull]);
    }
  }
  return [...groups.values()].map(together);
}

/** The outcome of a check whose cause no pull has: a pull of which nothing tells the cause is no pass. */
export function outcomeWithoutPull(facts: Parameters<typeof failedPulls>[0]) {
  const untold = failedPulls(facts).find((pull) => pull.cause === null);
  if (!untold) return { status: "pass" as const };
  return { status: "not-applicable" as const, because: { key: "untold" as const, values: { ...untold.subject, image: untold.image } } };
}

function together(pulls: readonly FailedPull[]): FailedPull {
  const first = pulls[0] as FailedPull;
  const owner = pulls.length > 1 ? first.deployment : undefined;
  return {
    ...first,
    subject: owner ? { kind: "Deployment", namespace: first.namespace, name: owner.metadata.name } : first.subject,
    pods: pulls.flatMap((pull) => pull.pods),
    evidence: pulls.flatMap((pull) => pull.evidence),
  };
}

function pullsOf(pod: Pod, events: readonly Event[], deployments: Fact<readonly Deployment[]>): readonly FailedPull[] {
  const namespace = pod.metadata.namespace ?? "";
  const subject = { kind: "Pod", namespace, name: pod.metadata.name };
  return (pod.status?.containerStatuses ?? []).flatMap((status, index) => {
    const waiting = status.state?.waiting;
    if (!waiting?.reason || !waitsForImage({ ...pod, status: { containerStatuses: [status] } })) return [];
    const image = pod.spec.containers.find((container) => container.name === status.name)?.image ?? status.image ?? "";
    const path = `status.containerStatuses[${index}].state.waiting`;
    const event = newestTelling(events, pod, image);
    const told = tells(waiting.message);
    return [
      {
        subject,
        pods: [pod],
        component: componentOf(pod, pod.spec.containers),
        namespace,
        ...installOfPod(pod, deployments),
        container: status.name,
        image,
        cause: told ?? event?.message ?? null,
        evidence: [
          { object: subject, path: `${path}.reason`, value: waiting.reason },
          ...(told ? [{ object: subject, path: `${path}.message`, value: told }] : []),
          ...(event?.message && !told ? [{ object: subject, path: `event/${event.reason}`, value: event.message }] : []),
        ],
      },
    ];
  });
}

/** The message of a waiting container where it says more than that the kubelet waits; older kubelets don't repeat the error. */
function tells(message: string | undefined): string | undefined {
  return message && !/^Back-off pulling image "[^"]*"$/.test(message) ? message : undefined;
}

/** The last error about this image. Events of earlier attempts may name another cause. */
function newestTelling(events: readonly Event[], pod: Pod, image: string): Event | undefined {
  return events
    .filter(
      ({ involvedObject: of, message = "" }) =>
        of.kind === "Pod" && of.namespace === pod.metadata.namespace && of.name === pod.metadata.name && message.startsWith(`Failed to pull image "${image}"`),
    )
    .sort((a, b) => timeOf(b) - timeOf(a))[0];
}

/** When it happened last. */
export function timeOf(event: Event): number {
  return Date.parse(event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? event.metadata.creationTimestamp ?? "") || 0;
}
