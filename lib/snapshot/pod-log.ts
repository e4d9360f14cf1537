import type { ContainerStatus } from "../model/kubernetes.ts";
import { type ApiAnswer, notCollected, notFound, statusAnswer, textAnswer } from "./api-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { logKey, type Snapshot, type SnapshotObject } from "./snapshot.ts";

/** Answers `pods/<pod>/log`: the log, a refusal in the API server's words, or that the snapshot doesn't hold it. */
export function podLogAnswer(request: ApiRequest, snapshot: Snapshot, pod: SnapshotObject | undefined, podsCollected: boolean): ApiAnswer {
  const { namespace = "", name = "" } = request;
  const names = containersOf(pod);
  const asked = request.query.get("container") || (names.length === 1 ? names[0] : undefined);
  const previous = request.query.get("previous") === "true";
  const log = asked === undefined ? undefined : snapshot.logs.get(logKey(namespace, name, asked, previous));
  if (log !== undefined) return textAnswer(tail(log, request.query.get("tailLines")));
  if (!pod) return podsCollected ? notFound("pods", "", name) : notCollected(`log of pod ${name}`);
  if (asked === undefined) return badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`);
  if (!names.includes(asked)) return badRequest(`container ${asked} is not valid for pod ${name}`);
  const status = statusOf(pod, asked);
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

function badRequest(message: string): ApiAnswer {
  return statusAnswer(400, "BadRequest", message);
}

function tail(log: string, lines: string | null): string {
  if (lines === null || !/^\d+$/.test(lines)) return log;
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
