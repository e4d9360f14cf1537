import type { Api, Metadata } from "./api.ts";

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly started: boolean;
  readonly state: State;
  readonly lastState?: State;
}

/** One of the three is set. */
export interface State {
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: object;
}

export interface Pod {
  readonly metadata: Metadata & { readonly uid: string; readonly namespace: string };
  readonly spec: {
    readonly serviceAccountName?: string;
    readonly restartPolicy?: string;
    readonly imagePullSecrets?: readonly { readonly name: string }[];
    readonly containers: readonly {
      readonly name: string;
      readonly image: string;
      readonly args?: readonly string[];
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
      readonly readinessProbe?: object;
      readonly resources?: { readonly limits?: { readonly memory?: string } };
    }[];
  };
  readonly status?: { readonly phase?: string; readonly podIP?: string; readonly containerStatuses?: readonly ContainerStatus[] };
}

/** Whether the kubelet has only made the pod's sandbox: its images aren't there yet. */
export function waitsForImages({ status }: Pod): boolean {
  return status?.phase === "Pending" && (status.containerStatuses?.length ?? 0) > 0;
}

/** Writes what has become of some of a pod's containers; the others stay as they were. */
export async function writeStatus(api: Api, pod: Pod, phase: "Pending" | "Running" | "Succeeded", changed: readonly ContainerStatus[]): Promise<void> {
  const all = pod.spec.containers.flatMap(
    ({ name }) => changed.find((one) => one.name === name) ?? pod.status?.containerStatuses?.find((one) => one.name === name) ?? [],
  );
  const ready = all.length > 0 && all.every((one) => one.ready);
  const status = {
    phase,
    conditions: ["Ready", "ContainersReady"].map((type) => ({
      type,
      status: ready ? "True" : "False",
      reason: ready ? null : phase === "Succeeded" ? "PodCompleted" : "ContainersNotReady",
      lastTransitionTime: new Date().toISOString(),
    })),
    containerStatuses: all.map((one) => {
      const image = pod.spec.containers.find(({ name }) => name === one.name)?.image ?? "";
      return { ...one, image, imageID: one.state.waiting && !one.lastState ? "" : image };
    }),
  };
  const { namespace, name, uid } = pod.metadata;
  await api
    .call("PATCH", `/api/v1/namespaces/${namespace}/pods/${name}/status`, { metadata: { uid }, status }, "application/strategic-merge-patch+json")
    .catch(() => {
      // The pod went meanwhile.
    });
}
