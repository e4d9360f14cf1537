import { type Api, ApiError } from "./api.ts";
import type { Events } from "./events.ts";
import { type ContainerStatus, type Pod, writeStatus } from "./pod.ts";
import type { Registries } from "./registries.ts";

/** A kubelet's first pause between two pulls is ten seconds, and the longest five minutes; here it is shorter. Milliseconds. */
const backOff = { first: 1_000, longest: 4_000 };

interface Pull {
  refusal: string | undefined;
  attempts: number;
  at: number;
  backingOff: boolean;
}

/** The part of a kubelet that pulls images: tries, fails, backs off, each step told by an event and in the pod's status. */
export class ImagePulls {
  private readonly api: Api;
  private readonly events: Events;
  private readonly registries: Registries;
  private readonly pulls = new Map<string, Pull>();
  /** Pods whose images are there; their status may take a moment to be read back. */
  private readonly started = new Set<string>();

  constructor(api: Api, events: Events, registries: Registries) {
    this.api = api;
    this.events = events;
    this.registries = registries;
  }

  reset(): void {
    this.pulls.clear();
    this.started.clear();
  }

  /** Goes on with the pulls of a pod that waits for its images, and runs it when all are there. */
  async go(pod: Pod): Promise<void> {
    if (this.started.has(pod.metadata.uid)) return;
    const changed: ContainerStatus[] = [];
    for (const { name, image } of pod.spec.containers) {
      const key = `${pod.metadata.uid}/${name}`;
      const before = this.pulls.get(key);
      if (before && !before.refusal) continue;
      const waited = before ? Date.now() - before.at : 0;
      if (before && waited < Math.min(backOff.first * 2 ** (before.attempts - 1), backOff.longest)) {
        if (!before.backingOff && waited > 200) changed.push(await this.wait(pod, name, image, before));
        continue;
      }
      const pull = { refusal: await this.attempt(pod, name, image), attempts: (before?.attempts ?? 0) + 1, at: Date.now(), backingOff: false };
      this.pulls.set(key, pull);
      if (pull.refusal) changed.push(waiting(name, "ErrImagePull", pull.refusal));
    }
    if (pod.spec.containers.every(({ name }) => this.pulls.get(`${pod.metadata.uid}/${name}`)?.refusal === undefined)) await this.run(pod);
    else if (changed.length > 0) await writeStatus(this.api, pod, "Pending", changed);
  }

  private async attempt(pod: Pod, container: string, image: string): Promise<string | undefined> {
    const logins = await this.logins(pod);
    await this.events.tell("Normal", "Pulling", `Pulling image "${image}"`, pod, container);
    const refusal = this.registries.refusal(image, logins);
    if (!refusal) return undefined;
    await this.events.tell("Warning", "Failed", `Failed to pull image "${image}": ${refusal}`, pod, container);
    await this.events.tell("Warning", "Failed", "Error: ErrImagePull", pod, container);
    return refusal;
  }

  private async wait(pod: Pod, container: string, image: string, pull: Pull): Promise<ContainerStatus> {
    pull.backingOff = true;
    const message = `Back-off pulling image "${image}"`;
    await this.events.tell("Normal", "BackOff", message, pod, container);
    await this.events.tell("Warning", "Failed", "Error: ImagePullBackOff", pod, container);
    return waiting(container, "ImagePullBackOff", `${message}: ErrImagePull: ${pull.refusal}`);
  }

  /** Which registries the Secrets that the pod names have credentials for. */
  private async logins(pod: Pod): Promise<readonly string[]> {
    const { namespace } = pod.metadata;
    const missing: string[] = [];
    const hosts: string[] = [];
    for (const { name } of pod.spec.imagePullSecrets ?? []) {
      try {
        const { data = {} } = await this.api.call<{ data?: Record<string, string> }>("GET", `/api/v1/namespaces/${namespace}/secrets/${name}`);
        const { auths = {} } = JSON.parse(Buffer.from(data[".dockerconfigjson"] ?? "e30=", "base64").toString()) as { auths?: object };
        hosts.push(...Object.keys(auths));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        missing.push(name);
      }
    }
    if (missing.length > 0) {
      const message = `Unable to retrieve some image pull secrets (${missing.join(", ")}); attempting to pull the image may not succeed.`;
      await this.events.tell("Warning", "FailedToRetrieveImagePullSecret", message, pod);
    }
    return hosts;
  }

  /** Those with a readiness probe become ready when it passes. */
  private async run(pod: Pod): Promise<void> {
    this.started.add(pod.metadata.uid);
    const startedAt = new Date().toISOString();
    const running = pod.spec.containers.map(({ name, readinessProbe }) => ({
      name,
      ready: !readinessProbe,
      restartCount: 0,
      started: true,
      state: { running: { startedAt } },
    }));
    for (const { name } of pod.spec.containers) {
      await this.events.tell("Normal", "Created", "Container created", pod, name);
      await this.events.tell("Normal", "Started", "Container started", pod, name);
    }
    await writeStatus(this.api, pod, "Running", running);
  }
}

function waiting(name: string, reason: string, message: string): ContainerStatus {
  return { name, ready: false, restartCount: 0, started: false, state: { waiting: { reason, message } } };
}
