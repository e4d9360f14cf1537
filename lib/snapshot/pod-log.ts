import type { ContainerStatus } from "../model/kubernetes.ts";
import { type ApiAnswer, badRequest, noContent, notCollected, notFound, statusAnswer, textAnswer } from "./api-answer.ts";
import { type ApiRequest, notAnInteger } from "./api-request.ts";
import { logKey, type Snapshot, type SnapshotObject } from "./snapshot.ts";

/** Answers `pods/<pod>/log`: the log, a refusal in the API server's words, or that the snapshot doesn't hold it. */
export function podLogAnswer(request: ApiRequest, snapshot: Snapshot, pod: SnapshotObject | undefined, podsCollected: boolean): ApiAnswer {
  const { namespace = "", name = "", query } = request;
  const names = containersOf(pod);
  const asked = query.get("container") || (names.length === 1 ? names[0] : undefined);
  const previous = query.has("previous") && !/^(?:false|0)$/i.test(query.get("previous") ?? "");
  const tailLines = query.get("tailLines");
  const wrongTail = notAnInteger(tailLines);
  if (wrongTail) return badRequest(wrongTail);
  if (Number(tailLines) < 0) return negativeTail(name, tailLines ?? "");
  const log = asked === undefined ? undefined : snapshot.logs.get(logKey(namespace, name, asked, previous));
  if (log !== undefined) return textAnswer(tail(log, tailLines));
  if (!pod) return podsCollected ? notFound("pods", "", name) : notCollected(`log of pod ${name}`);
  if (asked === undefined) return badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`);
  if (!names.includes(asked)) return badRequest(`container ${asked} is not valid for pod ${name}`);
  const status = statusOf(pod, asked);
  // Without a node there is no kubelet to ask.
  if (!status && isUnscheduled(pod)) return noContent;
  if (previous && status && !status.lastState?.terminated) return badRequest(`previous terminated container "${asked}" in pod "${name}" not found`);
  const waiting = status?.state?.waiting;
  if (!previous && waiting && !status.lastState?.terminated) {
    return badRequest(
      `container "${asked}" in pod "${name}" is waiting to start: ${waitingTexts[waiting.reason ?? ""] ?? waiting.reason ?? "PodInitializing"}`,
    );
  }
  return notCollected(`${previous ? "previous " : ""}log of container ${asked} in pod ${name}`);
}

/** The kubelet's words for reasons that it doesn't repeat as they are. */
const waitingTexts: Readonly<Record<string, string>> = {
  ImagePullBackOff: "trying and failing to pull image",
  ErrImagePull: "image can't be pulled",
};

function negativeTail(pod: string, lines: string): ApiAnswer {
  const message = `Invalid value: ${Number(lines)}: must be greater than or equal to 0`;
  const details = { name: pod, kind: "PodLogOptions", causes: [{ reason: "FieldValueInvalid", message, field: "tailLines" }] };
  return statusAnswer(422, "Invalid", `PodLogOptions "${pod}" is invalid: tailLines: ${message}`, details);
}

function tail(log: string, lines: string | null): string {
  if (lines === null) return log;
  const all = log.split("\n");
  const ends = all.at(-1) === "";
  if (ends) all.pop();
  const last = Number(lines) === 0 ? [] : all.slice(-Number(lines));
  return last.join("\n") + (ends && last.length > 0 ? "\n" : "");
}

function containersOf(pod: SnapshotObject | undefined): readonly string[] {
  const spec = (pod?.spec ?? {}) as { containers?: readonly { name: string }[]; initContainers?: readonly { name: string }[] };
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((container) => container.name);
}

function statusOf(pod: SnapshotObject, container: string): ContainerStatus | undefined {
  const status = (pod.status ?? {}) as { containerStatuses?: readonly ContainerStatus[]; initContainerStatuses?: readonly ContainerStatus[] };
  return [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find((one) => one.name === container);
}

function isUnscheduled({ spec, status }: SnapshotObject): boolean {
  return (status as { phase?: string } | undefined)?.phase === "Pending" && !(spec as { nodeName?: string }).nodeName;
}
