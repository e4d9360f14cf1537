import { readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Process } from "./process.ts";
import { relay } from "./relay.ts";

/** A container of cert-manager that a pod should be running: which program, as whom, and where its ports are reached. */
export interface ContainerSpec {
  readonly podUid: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podIP: string;
  readonly container: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
  /** The container port that others call. */
  readonly securePort: number | undefined;
  /** Bytes. */
  readonly memoryLimit: number | undefined;
}

/** How its program ended by itself. */
export interface Exit {
  readonly code: number;
  readonly reason: "Completed" | "Error" | "OOMKilled";
  readonly at: Date;
  readonly startedAt: Date;
}

let nextPort = 20_000;

/** Runs the real program for a container, reachable at the pod's own address, its log where the kubelet serves it from. */
export class Container {
  readonly spec: ContainerSpec;
  readonly healthPort: number;
  restarts = 0;
  /** Set while the program isn't running because it ended by itself. */
  exit: Exit | undefined;
  private readonly port: number;
  private readonly binaries: string;
  private readonly logs: string;
  private process: Process | undefined;
  private startedAt = new Date();
  private outOfMemory = false;
  private open: { readonly server: Server; readonly sockets: Set<Socket> } | undefined;

  constructor(spec: ContainerSpec, binaries: string, logs: string) {
    this.spec = spec;
    this.binaries = binaries;
    this.logs = logs;
    this.port = nextPort++;
    this.healthPort = nextPort++;
    // A pod that a restored state brought back has the uid of the one before, and begins a log of its own.
    const own = `${spec.podUid}_${spec.container}_`;
    for (const name of readdirSync(logs).filter((one) => one.startsWith(own))) rmSync(join(logs, name));
  }

  async start(): Promise<void> {
    const { spec } = this;
    this.exit = undefined;
    this.startedAt = new Date();
    this.outOfMemory = false;
    this.process = new Process(
      `${spec.namespace}/${spec.pod}`,
      "unshare",
      ["--uts", "--", "sh", "-c", 'hostname "$0" && exec "$@"', spec.pod, join(this.binaries, spec.program), ...spec.args],
      {
        logFile: this.logFile(),
        stamped: true,
        env: { ...spec.env, KUBECONFIG: spec.kubeconfig, PORT_SECURE: String(this.port), PORT_HEALTHZ: String(this.healthPort) },
        onExit: () => {
          void this.process?.ended.then((code) => {
            this.unlisten();
            const reason = this.outOfMemory ? "OOMKilled" : code === 0 ? "Completed" : "Error";
            this.exit = { code, reason, at: new Date(), startedAt: this.startedAt };
          });
        },
      },
    );
    if (spec.memoryLimit !== undefined) this.enforceMemoryLimit(this.process, spec.memoryLimit);
    if (spec.securePort) await this.listenWhenReady(spec.securePort);
  }

  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.unlisten();
    await this.process?.stop(signal);
  }

  /** Whether a connection to the pod's address is taken; where it isn't, the Service's address refuses too. */
  listens(host: string, port: number): boolean {
    return this.open !== undefined && this.spec.podIP === host && this.spec.securePort === port;
  }

  get running(): boolean {
    return this.process?.running ?? false;
  }

  /** Does what the kernel does to a process that needs more memory than its control group may have. */
  private enforceMemoryLimit(process: Process, limit: number): void {
    const watching = setInterval(() => {
      if (!process.running) clearInterval(watching);
      else if (anonymousMemory(process.id) > limit) {
        this.outOfMemory = true;
        process.kill();
      }
    }, 20);
  }

  /** What it wrote; each restart begins a new file. */
  logFile(restart = this.restarts): string {
    return join(this.logs, `${this.spec.podUid}_${this.spec.container}_${restart}.log`);
  }

  /**
   * The pod's port opens when the program's does: before, a caller is refused, as by a real pod. A pod may have the
   * address of one that is still ending; then it opens when that one is gone.
   */
  private async listenWhenReady(securePort: number): Promise<void> {
    const { process } = this;
    const wanted = () => process?.running && !process.stopping;
    while (wanted()) {
      if (await takesConnections(this.port)) {
        const opened = await this.listen(securePort);
        if (opened && wanted()) this.open = opened;
        else opened?.server.close();
        if (opened) return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Opens the pod's port; null where its address is taken. */
  private listen(securePort: number): Promise<{ server: Server; sockets: Set<Socket> } | null> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      relay(socket, connect({ host: "127.0.0.1", port: this.port }));
    });
    return new Promise((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(null) : reject(error)));
      server.listen({ host: this.spec.podIP, port: securePort }, () => resolve({ server, sockets }));
    });
  }

  private unlisten(): void {
    if (!this.open) return;
    for (const socket of this.open.sockets) socket.destroy();
    this.open.server.close();
    this.open = undefined;
  }
}

/** Bytes that the process has in memory of its own; what it maps from files could be dropped. */
function anonymousMemory(id: number | undefined): number {
  try {
    const [, kibibytes = "0"] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1_024;
  } catch {
    return 0;
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const answer = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}
