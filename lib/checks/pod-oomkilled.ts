import { type ComponentContainer, componentContainers } from "../derive/component-containers.ts";
import { installOfPod } from "../derive/install-of-pod.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { componentValues, helmWithValues, isUpstreamChart, setValues } from "../kube/chart-values.ts";
import type { Install } from "../kube/install.ts";
import { bytesOf, mebibytes } from "../kube/quantity.ts";
import { versionNumbers } from "../kube/version.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";

const hour = 3_600_000;
/** Below this cainjector doesn't start in a cluster of some size. */
const least = 128 * 2 ** 20;

type Key = "limit" | "limit-changes" | "limit-undo" | "patch" | "patch-changes" | "node";

export default defineCheck({
  id: "pod-oomkilled",
  area: "pods",
  severity: "blocker",
  needs: ["pods"],
  uses: ["deployments", "webhooks"],
  causedBy: [],
  sources: [
    "catalogue 1.3 pod-oomkilled",
    "https://github.com/cert-manager/cert-manager/issues/6217",
    "https://cert-manager.io/docs/installation/best-practice/",
  ],
  strings: {
    title: "Component killed for lack of memory",
    headline: "*A part of cert-manager is cut off in the middle of its work,* because it needs more memory than it may have.",
    why: "The kernel ended the process when it reached its memory limit, or when the node ran out of memory. It starts again and reads everything anew, which is when it needs the most, so it usually happens again.",
    ignore: "If it happened once, while a great many objects were made at the same time, it need not come back.",
    killed: "Container {container} of Pod {name} was killed when it reached its memory limit of {limit}.",
    unlimited: "Container {container} of Pod {name} was killed for lack of memory, although it has no limit of its own.",
    leak: "cert-manager 1.12.0 to 1.12.2 has a leak in cainjector, which 1.12.3 ends.",
    caches: "Before cert-manager 1.16 cainjector keeps every Secret of the cluster in memory, so it grows with them.",
    limit: "Give it more memory",
    "limit-changes": "The memory limit of the {component} becomes {limit}, and its pod is made anew.",
    "limit-undo": "Set the limit of {before} again.",
    patch: "Take the newest patch of this version",
    "patch-changes": "cert-manager goes from {version} to v1.12.17. Its pods are made anew; certificates and their Secrets stay as they are.",
    node: "See how much memory its node has left",
  },
  run({ pods, deployments, webhooks }, now) {
    const found = componentContainers({ pods }).flatMap((one) => killOf(one, now) ?? []);
    if (found.length === 0) return { status: "pass" };
    const installs = found.map(({ one }) => installOfPod(one.pod, deployments));
    const versions = found.flatMap(({ one }, index) => (one.component === "cainjector" ? [versionNumbers(installs[index]?.install?.version ?? "")] : []));
    const leaks = versions.some((version) => version?.[1] === 12 && version[2] < 3);
    const caches = versions.some((version) => version && version[1] < 16);
    return {
      status: "fail",
      problems: found.map(({ one, state, ended }, index) => {
        const { pod, subject, namespace, component, status } = one;
        const limit = limitOf(one);
        const age = now.getTime() - ended;
        return {
          key: limit ? ("killed" as const) : ("unlimited" as const),
          values: { container: status.name, name: pod.metadata.name, limit: limit ?? "" },
          severity: status.ready ? (age < hour ? "degraded" : "warning") : severityWithoutPod(pod, pods, webhooks),
          subject,
          component,
          install: namespace,
          evidence: [
            { object: subject, path: `${state}.reason`, value: "OOMKilled" },
            { object: subject, path: `${state}.finishedAt`, value: new Date(ended).toISOString().replace(".000", "") },
            { object: subject, path: `${one.path}.restartCount`, value: String(status.restartCount ?? 0) },
            {
              object: subject,
              path: `spec.containers[${pod.spec.containers.findIndex((container) => container.name === status.name)}].resources.limits.memory`,
              value: limit ?? null,
            },
          ],
          fix: fixOf(one, limit, installs[index] ?? {}),
        };
      }),
      because: leaks ? [{ key: "leak" }] : caches ? [{ key: "caches" }] : [],
    };
  },
});

/** The last kill for lack of memory within a day, or of a container that isn't back since. */
function killOf(one: ComponentContainer, now: Date): { one: ComponentContainer; state: string; ended: number } | undefined {
  const { status, path } = one;
  const current = status.state?.terminated?.reason === "OOMKilled";
  const terminated = current ? status.state?.terminated : status.lastState?.terminated;
  if (terminated?.reason !== "OOMKilled") return undefined;
  const ended = Date.parse(terminated.finishedAt ?? "") || now.getTime();
  const recent = now.getTime() - ended < 24 * hour;
  return recent || !status.ready ? { one, state: `${path}.${current ? "state" : "lastState"}.terminated`, ended } : undefined;
}

function limitOf({ pod, status }: ComponentContainer): string | undefined {
  return pod.spec.containers.find((container) => container.name === status.name)?.resources?.limits?.memory;
}

function fixOf(one: ComponentContainer, limit: string | undefined, of: { install?: Install; deployment?: Deployment }): readonly FixStep<Key>[] {
  const { pod, namespace, component, status } = one;
  const { install, deployment } = of;
  const node: FixStep<Key>[] = pod.spec.nodeName
    ? [{ title: { key: "node" }, for: "kubectl", command: `kubectl describe node ${pod.spec.nodeName}`, effect: "none" }]
    : [];
  const bytes = limit ? bytesOf(limit) : undefined;
  if (!limit || !bytes || !install || !deployment || !component || !status.name.startsWith("cert-manager")) return node;
  const more = mebibytes(Math.max(2 * bytes, least));
  const step = {
    title: { key: "limit" as const },
    changes: { key: "limit-changes" as const, values: { component, limit: more } },
    undo: { key: "limit-undo" as const, values: { before: limit } },
  };
  const direct = `kubectl -n ${namespace} set resources deployment/${deployment.metadata.name} -c ${status.name} --limits=memory=${more}`;
  return [...setValues(install, step, componentValues(component, { resources: { limits: { memory: more } } }), direct), ...patchOf(install, component)];
}

function patchOf(install: Install, component: string): readonly FixStep<Key>[] {
  if (component !== "cainjector" || !/^v1\.12\.[0-2]$/.test(install.version) || install.method !== "helm" || !isUpstreamChart(install)) return [];
  const command = helmWithValues(install, {}).replace(/--version \S+/, "--version v1.12.17");
  return [{ title: { key: "patch" }, for: "helm", command, effect: "cluster", changes: { key: "patch-changes", values: { version: install.version } } }];
}
