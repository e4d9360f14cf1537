import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Binaries, MissingPrerequisite, programPath } from "../binaries.ts";
import type { Answer, Commands, Place } from "./commands.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { users } from "./layout.ts";
import { relay } from "./relay.ts";

export interface ControlPlane extends Commands {
  /** The kubeconfig of an administrator; its server is a port on this machine's loopback. */
  readonly kubeconfig: string;
  readonly server: string;
  /** The API server's CA, PEM. */
  readonly ca: string;
  /** Its own temporary folder, gone with it. */
  readonly folder: string;
  stop(): Promise<void>;
}

const prefix = "certmedic-cluster-";
/** Own namespaces for network, processes and mounts; root is root in them, others become so. */
const namespaces = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts", ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"])];

/** Rejects with MissingPrerequisite where this machine doesn't let a process have a network of its own. */
export function requireNamespaces(): void {
  const tried = spawnSync("unshare", [...namespaces, "--", "ip", "link", "add", "void", "type", "bridge"], { encoding: "utf8" });
  if (tried.status === 0) return;
  const why = (tried.error?.message ?? tried.stderr).trim();
  throw new MissingPrerequisite(
    `The test control plane runs in a network namespace of its own, which can't be had here (${why}): run it on Linux as root or where user namespaces are allowed, with unshare (util-linux) and ip (iproute2).`,
  );
}

/** Starts etcd, the API server, its controllers, a scheduler and one node; ready when the node is. Takes some seconds. */
export async function startControlPlane(binaries: Binaries): Promise<ControlPlane> {
  requireNamespaces();
  sweep();
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const inner = join(folder, "inside");
  mkdirSync(inner);
  const place: Place = {
    socket: join(folder, "api.sock"),
    folder: inner,
    binaries: binaries.folder,
    programs: Object.fromEntries(["etcd", "kube-apiserver"].map((name) => [name, programPath(binaries.folder, name)])),
  };
  writeFileSync(join(folder, "owner"), String(process.pid));
  const child = spawn("unshare", [...namespaces, "--", process.execPath, join(import.meta.dirname, "inside.ts"), JSON.stringify(place)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
  });
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const calls = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  await new Promise<void>((resolve, reject) => {
    child.on("message", (answer: Answer) => {
      if ("ready" in answer) resolve();
      else if ("failed" in answer) reject(new Error(`the control plane didn't start: ${answer.failed}`));
      else if (answer.error) calls.get(answer.id)?.reject(new Error(answer.error));
      else calls.get(answer.id)?.resolve();
    });
    child.on("exit", () => {
      const gone = new Error("the control plane has ended");
      reject(gone);
      for (const call of calls.values()) call.reject(gone);
    });
  });

  const gate = await openGate(place.socket);
  const { port } = gate.address() as { port: number };
  const server = `https://127.0.0.1:${port}`;
  const ca = readFileSync(join(inner, "apiserver.crt"), "utf8");
  const path = join(folder, "kubeconfig");
  writeFileSync(path, kubeconfig(server, ca, users.admin.token));

  let nextCall = 0;
  const call = (method: keyof Commands, ...args: readonly unknown[]): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const id = nextCall++;
      calls.set(id, { resolve, reject });
      child.send({ id, method, args });
    });

  return {
    kubeconfig: path,
    server,
    ca,
    folder,
    save: (name) => call("save", name),
    restore: (name) => call("restore", name),
    store: (objects) => call("store", objects),
    lose: (component, signal) => call("lose", component, signal),
    resume: (component) => call("resume", component),
    misbehave: (service, how) => call("misbehave", service, how),
    hide: (registry) => call("hide", registry),
    async stop() {
      gate.close();
      await endOf(child);
      removeFiles();
      process.off("exit", removeFiles);
    },
  };
}

/** A port on this machine's loopback that leads to the API server. */
function openGate(socketPath: string): Promise<Server> {
  const gate = createServer((socket) => relay(socket, connect(socketPath)));
  gate.unref();
  return new Promise((resolve, reject) => gate.once("error", reject).listen({ host: "127.0.0.1", port: 0 }, () => resolve(gate)));
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.connected) child.disconnect();
  const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(force);
}

/** Removes the folders of control planes whose owner was killed before it could. */
function sweep(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    try {
      process.kill(Number(readFileSync(join(folder, "owner"), "utf8")), 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") rmSync(folder, { recursive: true, force: true });
    }
  }
}
