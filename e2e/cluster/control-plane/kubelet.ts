import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpsServer, type Server } from "node:https";
import { join } from "node:path";
import { request } from "undici";
import type { Api, Metadata } from "./api.ts";
import { Container, type ContainerSpec } from "./container.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { addresses } from "./layout.ts";

interface Pod {
  readonly metadata: Metadata & { readonly uid: string; readonly namespace: string };
  readonly spec: {
    readonly serviceAccountName?: string;
    readonly restartPolicy?: string;
    readonly containers: readonly {
      readonly name: string;
      readonly image: string;
      readonly args?: readonly string[];
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
      readonly readinessProbe?: object;
    }[];
  };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

interface Setup {
  readonly api: Api;
  readonly binaries: string;
  readonly folder: string;
  readonly caFile: string;
  readonly serving: { readonly certificate: string; readonly key: string };
}

/** The longest pause before a container starts again; a real kubelet goes up to five minutes. Milliseconds. */
const longestBackOff = 4_000;

/**
 * The half of a kubelet that KWOK leaves out: runs cert-manager's real programs for the pods that KWOK says are running, as
 * their service accounts, tells readiness and crashes, and serves their logs.
 */
export class Kubelet {
  private readonly setup: Setup;
  private readonly containers = new Map<string, Container>();
  /** Containers whose program was ended on purpose: their pods stay as they are, like on a node that is lost. */
  private readonly lost = new Set<Container>();
  private readonly ready = new Set<string>();
  private readonly done = new Set<string>();
  private server: Server | undefined;

  constructor(setup: Setup) {
    this.setup = setup;
  }

  async start(): Promise<void> {
    const { certificate, key } = this.setup.serving;
    this.server = createHttpsServer({ cert: certificate, key }, (asked, answer) => {
      const log = this.log(new URL(asked.url ?? "/", "https://node"));
      answer.writeHead(log === undefined ? 404 : 200, { "content-type": "text/plain" }).end(log ?? "no such container");
    });
    await new Promise<void>((resolve, reject) => this.server?.once("error", reject).listen({ host: addresses.node, port: addresses.kubeletPort }, resolve));
  }

  listens(host: string, port: number): boolean {
    return [...this.containers.values()].some((container) => container.listens(host, port));
  }

  /** Brings the programs in step with the pods, and the pods' status in step with the programs. */
  async reconcile(): Promise<void> {
    const pods = await this.setup.api.list<Pod>("/api/v1/pods");
    const wanted = new Map<string, { pod: Pod; name: string; program: string }>();
    for (const pod of pods) {
      if (pod.metadata.deletionTimestamp || pod.status?.phase !== "Running") continue;
      for (const { name, image } of pod.spec.containers) {
        const program = /\/cert-manager-(controller|webhook|cainjector|startupapicheck):/.exec(image)?.[1];
        if (program) wanted.set(`${pod.metadata.uid}/${name}`, { pod, name, program });
      }
    }
    const gone = [...this.containers].filter(([key]) => !wanted.has(key));
    await Promise.all(
      gone.map(async ([key, container]) => {
        this.containers.delete(key);
        this.ready.delete(key);
        this.done.delete(key);
        await container.stop();
      }),
    );
    await Promise.all([...wanted].map(([key, { pod, name, program }]) => this.keep(key, pod, name, program)));
  }

  /** Ends the processes of a component's present pods; these still look as before until they are resumed. */
  async lose(component: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const lost = [...this.containers.values()].filter(({ spec }) => spec.program === component);
    for (const container of lost) this.lost.add(container);
    await Promise.all(lost.map((container) => container.stop(signal)));
  }

  async resume(component: string): Promise<void> {
    const back = [...this.lost].filter(({ spec }) => spec.program === component);
    for (const container of back) this.lost.delete(container);
    await Promise.all(back.map((container) => container.start()));
  }

  /** Ends every program; the next reconcile starts those that are wanted then. */
  async reset(): Promise<void> {
    this.lost.clear();
    await Promise.all([...this.containers.values()].map((container) => container.stop("SIGKILL")));
    this.containers.clear();
    this.ready.clear();
    this.done.clear();
  }

  async stop(): Promise<void> {
    await this.reset();
    this.server?.close();
  }

  private async keep(key: string, pod: Pod, name: string, program: string): Promise<void> {
    const container = this.containers.get(key);
    if (container && this.lost.has(container)) return;
    if (!container) {
      const created = new Container(await this.specOf(pod, name, program), this.setup.binaries, this.setup.folder);
      this.containers.set(key, created);
      void created.start();
      return;
    }
    const { exit } = container;
    if (exit && !this.done.has(key)) {
      if (exit.code === 0 && pod.spec.restartPolicy !== "Always") {
        this.done.add(key);
        await this.report(pod, container, "completed");
        return;
      }
      if (this.ready.delete(key) || container.restarts === 0 || Date.now() - exit.at.getTime() < 400) await this.report(pod, container, "crashed");
      if (Date.now() - exit.at.getTime() < Math.min(1_000 * 2 ** container.restarts, longestBackOff)) return;
      container.restarts += 1;
      void container.start();
      await this.report(pod, container, "running");
      return;
    }
    const probed = pod.spec.containers.find((one) => one.name === name)?.readinessProbe;
    if (probed && container.running && !this.ready.has(key) && (await isHealthy(container.healthPort))) {
      this.ready.add(key);
      await this.report(pod, container, "ready");
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
    writeFileSync(path, kubeconfig(`https://${addresses.apiServer.host}:${addresses.apiServer.port}`, readFileSync(this.setup.caFile, "utf8"), status.token));
    return path;
  }

  private async report(pod: Pod, container: Container, state: "ready" | "running" | "crashed" | "completed"): Promise<void> {
    const { exit, restarts, spec } = container;
    const terminated = exit && {
      exitCode: exit.code,
      reason: exit.code === 0 ? "Completed" : "Error",
      startedAt: exit.startedAt.toISOString(),
      finishedAt: exit.at.toISOString(),
      containerID: `kwok://${spec.podUid}`,
    };
    const isReady = state === "ready" || (state === "running" && !pod.spec.containers.some((one) => one.readinessProbe));
    const now = new Date().toISOString();
    const is =
      state === "completed"
        ? { terminated }
        : state === "crashed"
          ? {
              waiting: {
                reason: "CrashLoopBackOff",
                message: `back-off ${10 * 2 ** restarts}s restarting failed container=${spec.container} pod=${spec.pod}_${spec.namespace}(${spec.podUid})`,
              },
            }
          : { running: { startedAt: now } };
    const status = {
      phase: state === "completed" ? "Succeeded" : "Running",
      conditions: ["Ready", "ContainersReady"].map((type) => ({
        type,
        status: isReady ? "True" : "False",
        reason: isReady ? null : state === "completed" ? "PodCompleted" : "ContainersNotReady",
        lastTransitionTime: now,
      })),
      containerStatuses: [
        {
          name: spec.container,
          image: pod.spec.containers.find((one) => one.name === spec.container)?.image ?? "",
          imageID: "",
          ready: isReady,
          started: state !== "crashed" && state !== "completed",
          restartCount: restarts,
          state: { running: null, waiting: null, terminated: null, ...is },
          ...(state !== "completed" && terminated ? { lastState: { terminated } } : {}),
        },
      ],
    };
    await this.setup.api
      .call(
        "PATCH",
        `/api/v1/namespaces/${spec.namespace}/pods/${spec.pod}/status`,
        { metadata: { uid: spec.podUid }, status },
        "application/strategic-merge-patch+json",
      )
      .catch(() => {
        // The pod went meanwhile.
      });
  }

  /** What `kubectl logs` asks a kubelet for: `/containerLogs/NAMESPACE/POD/CONTAINER?tailLines=N&previous=true`. */
  private log(url: URL): string | undefined {
    const [, , namespace, pod, name] = url.pathname.split("/");
    const container = [...this.containers.values()].find(({ spec }) => spec.namespace === namespace && spec.pod === pod && spec.container === name);
    if (!container) return undefined;
    const previous = url.searchParams.get("previous") === "true";
    const file = container.logFile(container.restarts - (previous ? 1 : 0));
    if (!existsSync(file)) return previous ? undefined : "";
    const stamped = url.searchParams.get("timestamps") === "true";
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const tail = Number(url.searchParams.get("tailLines") ?? lines.length);
    const shown = lines.slice(Math.max(0, lines.length - tail)).map((line) => (stamped ? line : line.replace(/^\S+ /, "")));
    return shown.length > 0 ? `${shown.join("\n")}\n` : "";
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const answer = await request(`http://127.0.0.1:${port}/healthz`);
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}
