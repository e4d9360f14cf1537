import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpsServer, type Server } from "node:https";
import { join } from "node:path";
import { request } from "undici";
import { bytesOf } from "../../../lib/kube/quantity.ts";
import type { Api } from "./api.ts";
import { Container, type ContainerSpec, type Exit } from "./container.ts";
import { Events } from "./events.ts";
import { ImagePulls } from "./image-pulls.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { addresses, apiServerUrl } from "./layout.ts";
import { logRefusal } from "./log-refusal.ts";
import { type ContainerStatus, type Pod, waitsForImages, writeStatus } from "./pod.ts";
import type { Registries } from "./registries.ts";

interface Setup {
  readonly api: Api;
  readonly registries: Registries;
  readonly binaries: string;
  readonly folder: string;
  readonly caFile: string;
  readonly serving: { readonly certificate: string; readonly key: string };
}

/** A program that ended starts again at once the first time, then after pauses that double up to this; a real kubelet goes from ten seconds to five minutes. */
const longestBackOff = 4_000;

/** A container and what was told of it. */
interface Kept {
  readonly container: Container;
  ready: boolean;
  /** The end of its program that the pod's status tells already, and whether it tells of the pause after it too. */
  ended: Exit | undefined;
  backingOff: boolean;
  probedAt: number;
}

/**
 * The half of a kubelet that KWOK leaves out: pulls images, runs cert-manager's real programs for the pods on the node, as
 * their service accounts, tells readiness and crashes, and serves their logs.
 */
export class Kubelet {
  private readonly setup: Setup;
  private readonly events: Events;
  private readonly pulls: ImagePulls;
  private readonly kept = new Map<string, Kept>();
  /** Containers whose program was ended on purpose: their pods stay as they are, like on a node that is lost. */
  private readonly lost = new Set<Container>();
  private server: Server | undefined;

  constructor(setup: Setup) {
    this.setup = setup;
    this.events = new Events(setup.api);
    this.pulls = new ImagePulls(setup.api, this.events, setup.registries);
  }

  async start(): Promise<void> {
    const { certificate, key } = this.setup.serving;
    this.server = createHttpsServer({ cert: certificate, key }, (asked, answer) => {
      const send = (code: number, text: string) => answer.writeHead(code, { "content-type": "text/plain" }).end(text);
      this.log(new URL(asked.url ?? "/", "https://node")).then(
        ({ refused, log = "" }) => send(refused === undefined ? 200 : 400, refused ?? log),
        (error: Error) => send(500, error.message),
      );
    });
    await new Promise<void>((resolve, reject) => this.server?.once("error", reject).listen({ host: addresses.node, port: addresses.kubeletPort }, resolve));
  }

  listens(host: string, port: number): boolean {
    return this.containers().some((container) => container.listens(host, port));
  }

  /** Brings the programs in step with the pods, and the pods' status in step with the programs. */
  async reconcile(): Promise<void> {
    const pods = (await this.setup.api.list<Pod>("/api/v1/pods")).filter((pod) => !pod.metadata.deletionTimestamp);
    await Promise.all(pods.filter(waitsForImages).map((pod) => this.pulls.go(pod)));
    const wanted = new Map<string, { pod: Pod; name: string; program: string }>();
    for (const pod of pods.filter(({ status }) => status?.phase === "Running")) {
      for (const { name, image } of pod.spec.containers) {
        const program = /\/cert-manager-(controller|webhook|cainjector|startupapicheck):/.exec(image)?.[1];
        if (program) wanted.set(`${pod.metadata.uid}/${name}`, { pod, name, program });
      }
    }
    const gone = [...this.kept].filter(([key]) => !wanted.has(key));
    await Promise.all(
      gone.map(async ([key, { container }]) => {
        this.kept.delete(key);
        await container.stop();
      }),
    );
    await Promise.all([...wanted].map(([key, { pod, name, program }]) => this.keep(key, pod, name, program)));
  }

  /** Ends the processes of a component's present pods; these still look as before until they are resumed. */
  async lose(component: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const lost = this.containers().filter(({ spec }) => spec.program === component);
    for (const container of lost) this.lost.add(container);
    await Promise.all(lost.map((container) => container.stop(signal)));
  }

  async resume(component: string): Promise<void> {
    const back = [...this.lost].filter(({ spec }) => spec.program === component);
    for (const container of back) this.lost.delete(container);
    await Promise.all(back.map((container) => container.start()));
  }

  /** Ends every program and forgets what was; the next reconcile starts what is wanted then. */
  async reset(): Promise<void> {
    this.lost.clear();
    this.events.reset();
    this.pulls.reset();
    await Promise.all(this.containers().map((container) => container.stop("SIGKILL")));
    this.kept.clear();
  }

  async stop(): Promise<void> {
    await this.reset();
    this.server?.close();
  }

  private containers(): readonly Container[] {
    return [...this.kept.values()].map(({ container }) => container);
  }

  private async keep(key: string, pod: Pod, name: string, program: string): Promise<void> {
    const kept = this.kept.get(key);
    if (!kept) {
      const container = new Container(await this.specOf(pod, name, program), this.setup.binaries, this.setup.folder);
      this.kept.set(key, { container, ready: false, ended: undefined, backingOff: false, probedAt: 0 });
      void container.start();
    } else if (!this.lost.has(kept.container)) {
      if (kept.container.exit) await this.afterExit(pod, kept, kept.container.exit);
      else if (kept.container.running && !kept.ready) await this.probe(pod, kept);
    }
  }

  /** Tells how the program ended, that it waits, and starts it again when it is time. */
  private async afterExit(pod: Pod, kept: Kept, exit: Exit): Promise<void> {
    const { container } = kept;
    const { name, namespace, uid } = pod.metadata;
    const done = exit.code === 0 && pod.spec.restartPolicy !== "Always";
    const pause = container.restarts === 0 ? 0 : Math.min(1_000 * 2 ** (container.restarts - 1), longestBackOff);
    if (kept.ended !== exit) {
      Object.assign(kept, { ended: exit, ready: false, backingOff: false });
      await writeStatus(this.setup.api, pod, done ? "Succeeded" : "Running", [statusOf(container, { state: { terminated: terminated(exit, uid) } })]);
    } else if (done) {
      return;
    } else if (Date.now() - exit.at.getTime() >= pause) {
      container.restarts += 1;
      const ready = !probeOf(pod, container);
      void container.start();
      const running = { running: { startedAt: new Date().toISOString() } };
      await writeStatus(this.setup.api, pod, "Running", [statusOf(container, { ready, state: running, lastState: { terminated: terminated(exit, uid) } })]);
    } else if (!kept.backingOff) {
      kept.backingOff = true;
      const of = container.spec.container;
      await this.events.tell("Warning", "BackOff", `Back-off restarting failed container ${of} in pod ${name}_${namespace}(${uid})`, pod, of);
      const message = `back-off ${backOffText(container.restarts)} restarting failed container=${of} pod=${name}_${namespace}(${uid})`;
      const waiting = { waiting: { reason: "CrashLoopBackOff", message } };
      await writeStatus(this.setup.api, pod, "Running", [statusOf(container, { state: waiting, lastState: { terminated: terminated(exit, uid) } })]);
    }
  }

  /** Asks whether it is ready, where it has a readiness probe; a failure is told once a second, as a kubelet does each period. */
  private async probe(pod: Pod, kept: Kept): Promise<void> {
    const { container } = kept;
    if (!probeOf(pod, container)) return;
    const failure = await healthFailure(container.healthPort);
    if (failure === undefined) {
      kept.ready = true;
      const before = pod.status?.containerStatuses?.find((one) => one.name === container.spec.container);
      const running = { running: before?.state.running ?? { startedAt: new Date().toISOString() } };
      await writeStatus(this.setup.api, pod, "Running", [statusOf(container, { ready: true, state: running, lastState: before?.lastState })]);
    } else if (Date.now() - kept.probedAt > 1_000) {
      kept.probedAt = Date.now();
      const message = failure.replaceAll(`127.0.0.1:${container.healthPort}`, `${container.spec.podIP}:6080`);
      await this.events.tell("Warning", "Unhealthy", `Readiness probe failed: ${message}`, pod, container.spec.container);
    }
  }

  private async specOf(pod: Pod, name: string, program: string): Promise<ContainerSpec> {
    const { namespace, uid } = pod.metadata;
    const container = pod.spec.containers.find((one) => one.name === name);
    const fill = (arg: string): string => arg.replaceAll("$(POD_NAMESPACE)", namespace);
    return {
      podUid: uid,
      namespace,
      pod: pod.metadata.name,
      podIP: pod.status?.podIP ?? "",
      container: name,
      program,
      args: (container?.args ?? []).map(fill),
      env: { POD_NAMESPACE: namespace },
      kubeconfig: await this.kubeconfigOf(namespace, pod.spec.serviceAccountName ?? "default"),
      securePort: container?.ports?.find((port) => port.name === "https")?.containerPort,
      memoryLimit: bytesOf(container?.resources?.limits?.memory ?? ""),
    };
  }

  /** A kubeconfig with a token of the pod's own service account: what the account may not do, the program can't. */
  private async kubeconfigOf(namespace: string, account: string): Promise<string> {
    const { status } = await this.setup.api.call<{ status: { token: string } }>("POST", `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: 86_400 },
    });
    const path = join(this.setup.folder, `${namespace}_${account}.kubeconfig`);
    writeFileSync(path, kubeconfig(apiServerUrl, readFileSync(this.setup.caFile, "utf8"), status.token));
    return path;
  }

  /** What `kubectl logs` asks a kubelet for: `/containerLogs/NAMESPACE/POD/CONTAINER?tailLines=N&previous=true`. */
  private async log(url: URL): Promise<{ readonly refused?: string; readonly log?: string }> {
    const [, , namespace, pod, name = ""] = url.pathname.split("/");
    const previous = url.searchParams.get("previous") === "true";
    const refused = logRefusal(await this.setup.api.call<Pod>("GET", `/api/v1/namespaces/${namespace}/pods/${pod}`), name, previous);
    if (refused !== undefined) return { refused };
    const container = this.containers().find(({ spec }) => spec.namespace === namespace && spec.pod === pod && spec.container === name);
    // While a crashed one waits, its last run is what both ask for.
    const file = container?.logFile(container.restarts - (previous && !container.exit ? 1 : 0));
    if (!file || !existsSync(file)) return { log: "" };
    const stamped = url.searchParams.get("timestamps") === "true";
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const tail = Number(url.searchParams.get("tailLines") ?? lines.length);
    const shown = lines.slice(Math.max(0, lines.length - tail)).map((line) => (stamped ? line : line.replace(/^\S+ /, "")));
    return { log: shown.length > 0 ? `${shown.join("\n")}\n` : "" };
  }
}

function statusOf({ spec, restarts }: Container, of: Pick<ContainerStatus, "state"> & Partial<ContainerStatus>): ContainerStatus {
  return { name: spec.container, ready: false, restartCount: restarts, started: of.state.running !== undefined, ...of };
}

function terminated({ code, reason, at, startedAt }: Exit, uid: string): object {
  return { exitCode: code, reason, startedAt: startedAt.toISOString(), finishedAt: at.toISOString(), containerID: `kwok://${uid}` };
}

function probeOf({ spec }: Pod, { spec: { container } }: Container): object | undefined {
  return spec.containers.find(({ name }) => name === container)?.readinessProbe;
}

/** How long a kubelet would wait, in its own words. */
function backOffText(restarts: number): string {
  const seconds = Math.min(10 * 2 ** (restarts - 1), 300);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** What a kubelet says of a probe that fails. */
async function healthFailure(port: number): Promise<string | undefined> {
  const url = `http://127.0.0.1:${port}/healthz`;
  try {
    const answer = await request(url);
    await answer.body.dump();
    return answer.statusCode === 200 ? undefined : `HTTP probe failed with statuscode: ${answer.statusCode}`;
  } catch {
    return `Get "${url}": dial tcp 127.0.0.1:${port}: connect: connection refused`;
  }
}
