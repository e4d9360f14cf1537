import { componentContainers } from "../derive/component-containers.ts";
import { installOfPod } from "../derive/install-of-pod.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { setValues } from "../kube/chart-values.ts";
import type { Install } from "../kube/install.ts";
import { componentOf, ownContainer } from "../kube/install.ts";
import { isPodReady } from "../kube/readiness.ts";
import { readScheduling } from "../kube/scheduling.ts";
import { freePort, kubeletPort, movePort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type ContainerLog, knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";

const taken = /listen tcp \S*?:(?<port>\d+): bind: address already in use/;

type Key = "move" | "move-changes" | "move-undo" | "replace" | "replace-changes" | "replace-undo" | "fewer" | "fewer-changes" | "fewer-undo" | "who";

export default defineCheck({
  id: "webhook-hostport-conflict",
  area: "pods",
  severity: "blocker",
  needs: ["pods"],
  uses: ["logs", "deployments", "webhooks"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: /listen tcp \S*?:(?<port>10250|10260|6080|9402): bind: address already in use/ }],
  sources: [
    "catalogue 1.3 webhook-hostport-conflict",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/3472",
  ],
  strings: {
    title: "Port of the node that the webhook can't have",
    headline: "*A webhook pod doesn't run,* because it wants a port of its node that somebody else has.",
    why: "With `hostNetwork` the webhook listens on its node's own address, and each port can be had once there. The kubelet of every node has 10250, which is the chart's default for the webhook too; two webhook pods need two nodes.",
    kubelet: "Pod {name} of the webhook exits, because port 10250 of its node belongs to the kubelet.",
    bound: "Pod {name} of the webhook exits, because port {port} of its node is taken.",
    rollout: "Pod {name} of the webhook waits for a node: the pod that it is to replace has its ports, and goes only when the new one is ready.",
    crowded: "Pod {name} of the webhook waits for a node: each node has room for one, and more are wanted than there are nodes for.",
    unplaced: "Pod {name} of the webhook waits for a node: its ports are taken on every node that would do.",
    "on-host": "The webhook's pods are in their nodes' network.",
    move: "Give the webhook a port of its own",
    "move-changes": "The webhook listens on port {port}. Firewalls and security groups between the control plane and the nodes must let it through.",
    "move-undo": "The same step with port {before} takes it back.",
    replace: "Let the old pod go first",
    "replace-changes":
      "At each rollout an old webhook pod ends before the new one starts. With a single pod Certificates and Issuers can't be changed for these seconds.",
    "replace-undo": "Set `webhook.strategy` to what it was before.",
    fewer: "Ask for as many as there is room for",
    "fewer-changes": "The webhook has {count, plural, one {one pod} other {# pods}}. More need more nodes.",
    "fewer-undo": "The same step with {before} takes it back.",
    who: "See who has ports of the nodes",
  },
  run({ pods, logs, deployments, webhooks }) {
    const unready = pods.filter((pod) => !isPodReady(pod) && isWebhook(pod));
    const found = [...unplaced(unready), ...bound(unready, knownValue(logs) ?? [])];
    if (found.length === 0) return hasUntold(unready) && logs.state === "missing" ? { status: "needs", fact: "logs" } : { status: "pass" };
    const problems = found.map(({ pod, port, evidence }) => {
      const { name, namespace = "" } = pod.metadata;
      const { install, deployment } = installOfPod(pod, deployments);
      const peers = pods.filter((other) => other !== pod && isPodReady(other) && isPeer(other, pod));
      const key = port === kubeletPort ? "kubelet" : port ? "bound" : peers.length === 0 ? "unplaced" : isSame(pod, peers) ? "crowded" : "rollout";
      return {
        key: key as "kubelet" | "bound" | "unplaced" | "crowded" | "rollout",
        values: { name, port: port ?? "" },
        severity: severityWithoutPod(pod, pods, webhooks),
        subject: { kind: "Pod", namespace, name },
        component: "webhook" as const,
        install: namespace,
        evidence: [...evidence, { object: { kind: "Pod", namespace, name }, path: "spec.hostNetwork", value: pod.spec.hostNetwork ? "true" : null }],
        fix: [...(install && deployment ? cureOf(key, install, deployment, port, peers.length) : []), who],
      };
    });
    return { status: "fail", problems, because: found.some(({ pod }) => pod.spec.hostNetwork) ? [{ key: "on-host" }] : [] };
  },
});

interface Conflict {
  readonly pod: Pod;
  /** The port that is taken, where the webhook's log names it. */
  readonly port?: number;
  readonly evidence: readonly Evidence[];
}

/** Webhook pods that the scheduler finds no node for, whose port a pod has everywhere. */
function unplaced(pods: readonly Pod[]): readonly Conflict[] {
  return pods.flatMap((pod) => {
    const index = pod.status?.conditions?.findIndex((one) => one.type === "PodScheduled" && one.status === "False" && one.reason === "Unschedulable") ?? -1;
    const message = pod.status?.conditions?.[index]?.message;
    if (!message || !readScheduling(message).ports) return [];
    const object = { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name };
    return [{ pod, evidence: [{ object, path: `status.conditions[${index}].message`, value: message }] }];
  });
}

/** Webhook pods whose last words are about a port that is taken; the scheduler doesn't know of the kubelet's. */
function bound(pods: readonly Pod[], logs: readonly ContainerLog[]): readonly Conflict[] {
  return pods.flatMap((pod) => {
    const { name, namespace } = pod.metadata;
    const container = ownContainer(pod.spec.containers)?.name;
    const log = logs.find((one) => one.pod === name && one.namespace === namespace && one.container === container);
    const line = log?.lines.slice(-20).findLast((one) => taken.test(one));
    const port = Number(taken.exec(line ?? "")?.groups?.port);
    return line && port ? [{ pod, port, evidence: [{ object: { kind: "Pod", namespace, name }, path: `log/${container}`, value: line }] }] : [];
  });
}

/** Whether a webhook pod in its node's network starts again and again, for which its log would be needed. */
function hasUntold(pods: readonly Pod[]): boolean {
  return componentContainers({ pods: pods.filter((pod) => pod.spec.hostNetwork) }).some(({ status }) => !status.ready && (status.restartCount ?? 0) > 0);
}

function isWebhook(pod: Pod): boolean {
  return componentOf(pod, pod.spec.containers) === "webhook";
}

function isPeer(other: Pod, pod: Pod): boolean {
  const instance = (of: Pod) => of.metadata.labels?.["app.kubernetes.io/instance"];
  return isWebhook(other) && other.metadata.namespace === pod.metadata.namespace && instance(other) === instance(pod);
}

/** Whether one of the running pods is made from the same template. */
function isSame(pod: Pod, peers: readonly Pod[]): boolean {
  const template = (of: Pod) => of.metadata.labels?.["pod-template-hash"];
  return peers.some((peer) => template(peer) === template(pod));
}

function cureOf(key: string, install: Install, webhook: Deployment, port: number | undefined, running: number): readonly FixStep<Key>[] {
  const { name, namespace } = webhook.metadata;
  if (key === "kubelet" || (key === "bound" && port === freePort)) {
    const to = port === freePort ? freePort + 10 : freePort;
    const step = {
      title: { key: "move" as const },
      changes: { key: "move-changes" as const, values: { port: to } },
      undo: { key: "move-undo" as const, values: { before: port ?? kubeletPort } },
    };
    return setValues(install, step, { webhook: { securePort: to } }, movePort(webhook, to));
  }
  if (key === "rollout") {
    const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    const step = { title: { key: "replace" as const }, changes: { key: "replace-changes" as const }, undo: { key: "replace-undo" as const } };
    const direct = `kubectl -n ${namespace} patch deployment ${name} --type=merge -p '${JSON.stringify({ spec: { strategy } })}'`;
    return setValues(install, step, { webhook: { strategy } }, direct);
  }
  if (key !== "crowded") return [];
  const step = {
    title: { key: "fewer" as const },
    changes: { key: "fewer-changes" as const, values: { count: running } },
    undo: { key: "fewer-undo" as const, values: { before: webhook.spec.replicas ?? 1 } },
  };
  return setValues(install, step, { webhook: { replicaCount: running } }, `kubectl -n ${namespace} scale deployment/${name} --replicas=${running}`);
}

const who: FixStep<Key> = {
  title: { key: "who" },
  for: "kubectl",
  command:
    "kubectl get pods -A -o custom-columns='NODE:.spec.nodeName,NAMESPACE:.metadata.namespace,NAME:.metadata.name,HOSTNETWORK:.spec.hostNetwork,PORTS:.spec.containers[*].ports[*].hostPort' | grep -v '<none> *$'",
  effect: "none",
};
