import { installs } from "../derive/installs.ts";
import { type ChartValues, setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import { checkContainer } from "../kube/startup-check.ts";
import { defineCheck } from "../model/check.ts";
import type { Fact } from "../model/facts.ts";
import { knownValue, type StartupCheck } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { ContainerStatus, Deployment, Pod } from "../model/kubernetes.ts";

/** How the meshes are told to leave a pod alone, by the name of their container. */
const leftAlone: Readonly<Record<string, ChartValues>> = {
  "istio-proxy": { "sidecar.istio.io/inject": "false" },
  "linkerd-proxy": { "linkerd.io/inject": "disabled" },
};
/** A sidecar that notices the end by itself needs some seconds. */
const grace = 60_000;

type Key = "finish" | "finish-changes" | "inject" | "inject-changes" | "inject-undo" | "off" | "off-changes" | "off-undo" | "remove" | "remove-changes";

export default defineCheck({
  id: "mesh-sidecar-blocks-job",
  area: "pods",
  severity: "warning",
  needs: ["startupChecks"],
  uses: ["deployments"],
  causedBy: [],
  sources: [
    "catalogue 1.3 mesh-sidecar-blocks-job",
    "https://github.com/cert-manager/cert-manager/issues/4405",
    "https://github.com/cert-manager/cert-manager/pull/4414",
    "https://github.com/cert-manager/cert-manager/issues/5039",
  ],
  strings: {
    title: "Startup check kept alive by a sidecar",
    headline: "*Helm calls the release failed although cert-manager works,* because a sidecar keeps the pod of the chart's startup check running.",
    why: "After an install the chart runs a Job that asks the API once and ends. A mesh put its own container into the Job's pod; that one never ends by itself, so the Job doesn't complete, and Helm waits until its time is up.",
    kept: "The check in Pod {name} ended well at {time}, and the container `{sidecar}` beside it still runs.",
    "by-exit": "The check's own container exited with code 0.",
    inject: "Keep the mesh out of the Job's pod",
    "inject-changes": "At the next install the Job's pod gets no sidecar. The components keep theirs.",
    "inject-undo": "Remove the annotation from `startupapicheck.podAnnotations`.",
    off: "Do without the check",
    "off-changes": "At the next install no Job asks the API. The components aren't touched.",
    "off-undo": "Set `startupapicheck.enabled` to true.",
    finish: "Have Helm record the release as deployed",
    "finish-changes": "Helm applies the same version with the same values once more. The Job belongs to installs alone and isn't run again.",
    remove: "Then remove the Job that can't end",
    "remove-changes": "Job {job} and its pod are deleted. Nothing needs them any more.",
  },
  run({ startupChecks, deployments }, now) {
    const problems = startupChecks.flatMap((check) =>
      check.pods.flatMap((pod) => {
        const ended = endOf(pod);
        const sidecar = sidecarOf(pod);
        if (!ended || !sidecar || now.getTime() - Date.parse(ended.time) < grace) return [];
        const { name, namespace = "" } = pod.metadata;
        const subject = { kind: "Pod", namespace, name };
        return [
          {
            key: "kept" as const,
            values: { name, time: ended.time, sidecar: sidecar.name },
            severity: "warning" as const,
            subject,
            install: namespace,
            evidence: [
              { object: subject, path: `status.containerStatuses[${ended.index}].state.terminated.exitCode`, value: "0" },
              { object: subject, path: `status.containerStatuses[${sidecar.index}].state.running.startedAt`, value: sidecar.since },
            ],
            fix: fixOf(check, sidecar.name, deployments),
          },
        ];
      }),
    );
    return problems.length === 0 ? { status: "pass" } : { status: "fail", problems, because: [{ key: "by-exit" }] };
  },
});

/** When the check's own container ended well. */
function endOf(pod: Pod): { readonly time: string; readonly index: number } | undefined {
  const own = checkContainer(pod)?.name;
  const index = statusesOf(pod).findIndex(({ name }) => name === own);
  const terminated = statusesOf(pod)[index]?.state?.terminated;
  return terminated?.exitCode === 0 && terminated.finishedAt ? { time: terminated.finishedAt, index } : undefined;
}

function sidecarOf(pod: Pod): { readonly name: string; readonly index: number; readonly since: string | null } | undefined {
  const own = checkContainer(pod)?.name;
  const index = statusesOf(pod).findIndex(({ name, state }) => name !== own && state?.running);
  const status = statusesOf(pod)[index];
  return status && { name: status.name, index, since: status.state?.running?.startedAt ?? null };
}

function statusesOf(pod: Pod): readonly ContainerStatus[] {
  return pod.status?.containerStatuses ?? [];
}

function fixOf({ job }: StartupCheck, sidecar: string, deployments: Fact<readonly Deployment[]>): readonly FixStep<Key>[] {
  const { name, namespace = "" } = job.metadata;
  const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === namespace);
  const annotations = leftAlone[sidecar];
  const values: ChartValues = { startupapicheck: annotations ? { podAnnotations: annotations } : { enabled: false } };
  const key = annotations ? "inject" : "off";
  const step = { title: { key }, changes: { key: `${key}-changes` }, undo: { key: `${key}-undo` } } as const;
  const finish = install?.method === "helm" ? reapply(install, { title: { key: "finish" as const }, changes: { key: "finish-changes" as const } }) : [];
  return [
    ...finish,
    {
      title: { key: "remove" },
      for: "kubectl",
      command: `kubectl -n ${namespace} delete job ${name}`,
      effect: "cluster",
      changes: { key: "remove-changes", values: { job: name } },
    },
    ...(install ? setValues(install, step, values) : []),
  ];
}
