import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import { waitsForImage } from "../kube/readiness.ts";
import { checkContainer, isFailed } from "../kube/startup-check.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type Fact, knownValue, type StartupCheck } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";

/** For so long Helm waits for a hook unless it is told otherwise. */
const patience = 5 * 60_000;
const complaint = /Not ready|error executing command|^error:|^Error\b|forbidden/i;

type Key = "read" | "describe" | "finish" | "finish-changes" | "remove" | "remove-changes" | "off" | "off-changes" | "off-undo";

export default defineCheck({
  id: "helm-startupapicheck-failed",
  area: "api-probe",
  severity: "warning",
  needs: ["startupChecks"],
  uses: ["deployments", "apiProbe", "reportedErrors"],
  causedBy: ["api-probe-failing", "mesh-sidecar-blocks-job"],
  patterns: [
    { in: "anywhere", text: /failed post-install: (?:1 error occurred:[\s\S]{0,120}?\* )?timed out waiting for the condition/ },
    { in: "anywhere", text: /failed post-install: (?:1 error occurred:[\s\S]{0,120}?\* )?job (?:\S*startupapicheck )?failed: BackoffLimitExceeded/ },
    {
      in: "anywhere",
      text: /failed post-install: (?:1 error occurred:[\s\S]{0,120}?\* )?resource (?:not ready, name: \S*startupapicheck|Job\/\S*startupapicheck not ready)/,
    },
  ],
  sources: [
    "catalogue 1.5 helm-startupapicheck-failed",
    "https://cert-manager.io/docs/installation/helm/",
    "https://github.com/cert-manager/cert-manager/issues/4646",
    "https://github.com/cert-manager/cert-manager/issues/9034",
  ],
  strings: {
    title: "Startup check after the install without success",
    headline: "*Helm calls the release failed,* because the chart's check of cert-manager's API after the install didn't succeed.",
    why: "After an install the chart runs a Job that asks the API to accept a CertificateRequest, as this report does. Where cert-manager doesn't work, the Job says so first; where it works, something kept the Job alone from it. Helm's record says failed either way, until the next upgrade.",
    ignore: "If cert-manager works, nothing but Helm's record of the release is wrong.",
    said: {
      text: "Job {job} in namespace {namespace} gave up. Its last words: {what}",
      note: "{what} is a line of its log in English",
    },
    silent: "Job {job} in namespace {namespace} gave up, and what it said couldn't be read.",
    refused: {
      text: "Job {job} in namespace {namespace} has no pod, because the API server refuses it: {what}",
      note: "{what} is the API server's own text in English",
    },
    image: "Job {job} in namespace {namespace} waits for its image `{what}`.",
    stuck: "Job {job} in namespace {namespace} hasn't come to an end since {what}, which is longer than Helm waits.",
    works: "The API check of this report went through: cert-manager's API works now.",
    read: "Read what the check says",
    describe: "See why it has no pod that runs",
    finish: "Have Helm record the release as deployed",
    "finish-changes": "Helm applies the same version with the same values once more. The Job belongs to installs alone and isn't run again.",
    remove: "Then remove the Job",
    "remove-changes": "Job {job} and its pods are deleted. Nothing needs them any more.",
    off: "Do without the check at the next install",
    "off-changes": "No Job asks the API after the next install. The components aren't touched.",
    "off-undo": "Set `startupapicheck.enabled` to true.",
  },
  run({ startupChecks, deployments, apiProbe, reportedErrors }, now) {
    const ended = startupChecks.filter(({ job }) => isFailed(job) || now.getTime() - Date.parse(job.metadata.creationTimestamp ?? "") > patience);
    if (ended.length === 0) return { status: "pass" };
    const works = webhookCall({ apiProbe, reportedErrors }).outcome === "answered";
    const problems = ended.map((check) => {
      const { name, namespace = "" } = check.job.metadata;
      const subject = { kind: "Job", namespace, name };
      const { key, what, evidence } = stateOf(check);
      return {
        key,
        values: { job: name, namespace, what },
        severity: "warning" as const,
        subject,
        install: namespace,
        evidence: [...jobEvidence(check), ...evidence],
        fix: fixOf(check, deployments, works),
      };
    });
    return { status: "fail", problems, because: works ? [{ key: "works" }] : [] };
  },
});

interface State {
  readonly key: "said" | "silent" | "refused" | "image" | "stuck";
  readonly what: string;
  readonly evidence: readonly Evidence[];
}

function stateOf({ job, pods, events, logs }: StartupCheck): State {
  const { name, namespace = "" } = job.metadata;
  const [log] = logs;
  const line = log?.lines.findLast((one) => complaint.test(one));
  if (log && line) {
    return { key: "said", what: line, evidence: [{ object: { kind: "Pod", namespace, name: log.pod }, path: `log/${log.container}`, value: line }] };
  }
  const refusal = events.find(({ reason, message }) => reason === "FailedCreate" && message)?.message;
  if (refusal && pods.length === 0) {
    const what = refusal.replace(/^Error creating: /, "");
    return { key: "refused", what, evidence: [{ object: { kind: "Job", namespace, name }, path: "event/FailedCreate", value: refusal }] };
  }
  const waiting = pods.find(waitsForImage);
  if (waiting) {
    const object = { kind: "Pod", namespace, name: waiting.metadata.name };
    const index = waiting.status?.containerStatuses?.findIndex(({ state }) => state?.waiting) ?? 0;
    const reason = waiting.status?.containerStatuses?.[index]?.state?.waiting?.reason ?? null;
    const evidence = [{ object, path: `status.containerStatuses[${index}].state.waiting.reason`, value: reason }];
    return { key: "image", what: checkContainer(waiting)?.image ?? "", evidence };
  }
  return isFailed(job) ? { key: "silent", what: "", evidence: [] } : { key: "stuck", what: job.metadata.creationTimestamp ?? "", evidence: [] };
}

function jobEvidence({ job }: StartupCheck): readonly Evidence[] {
  const object = { kind: "Job", namespace: job.metadata.namespace, name: job.metadata.name };
  const index = job.status?.conditions?.findIndex(({ type, status }) => type === "Failed" && status === "True") ?? -1;
  return index < 0
    ? [{ object, path: "metadata.creationTimestamp", value: job.metadata.creationTimestamp ?? null }]
    : [{ object, path: `status.conditions[${index}].reason`, value: job.status?.conditions?.[index]?.reason ?? null }];
}

function fixOf({ job, pods }: StartupCheck, deployments: Fact<readonly Deployment[]>, works: boolean): readonly FixStep<Key>[] {
  const { name, namespace = "" } = job.metadata;
  const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === namespace);
  const look: FixStep<Key> =
    pods.length > 0
      ? { title: { key: "read" }, for: "kubectl", command: `kubectl -n ${namespace} logs job/${name} --all-containers --tail=20`, effect: "none" }
      : { title: { key: "describe" }, for: "kubectl", command: `kubectl -n ${namespace} describe job ${name}`, effect: "none" };
  if (!works) return [look];
  const finish = install?.method === "helm" ? reapply(install, { title: { key: "finish" as const }, changes: { key: "finish-changes" as const } }) : [];
  const step = { title: { key: "off" as const }, changes: { key: "off-changes" as const }, undo: { key: "off-undo" as const } };
  return [
    look,
    ...finish,
    {
      title: { key: "remove" },
      for: "kubectl",
      command: `kubectl -n ${namespace} delete job ${name}`,
      effect: "cluster",
      changes: { key: "remove-changes", values: { job: name } },
    },
    ...(install ? setValues(install, step, { startupapicheck: { enabled: false } }).map((one) => ({ ...one, instead: true })) : []),
  ];
}
