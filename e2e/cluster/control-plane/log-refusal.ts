import type { Pod, State } from "./pod.ts";

/** Why a kubelet has no log of a container to give, in its own words (validateContainerLogStatus); undefined where it has one. */
export function logRefusal(pod: Pod, container: string, previous: boolean): string | undefined {
  const status = pod.status?.containerStatuses?.find(({ name }) => name === container);
  const named = `container "${container}" in pod "${pod.metadata.name}"`;
  if (!status) return `${named} is not available`;
  const { state, lastState } = status;
  if (previous) return lastState?.terminated ? undefined : `previous terminated ${named} not found`;
  if (state.running || state.terminated || lastState?.terminated) return undefined;
  return state.waiting ? `${named} is waiting to start: ${waitingFor(state.waiting)}` : `${named} is waiting to start - no logs yet`;
}

function waitingFor({ reason }: NonNullable<State["waiting"]>): string {
  if (reason === "ErrImagePull") return "image can't be pulled";
  return reason === "ImagePullBackOff" ? "trying and failing to pull image" : reason;
}
