import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { KubeConfig, User } from "@kubernetes/client-node";
import { Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from "undici";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import type { Connection } from "./connection.ts";
import { InputError } from "./errors.ts";

export interface KubeconfigChoice {
  /** A file given by the user; else $KUBECONFIG, else ~/.kube/config. */
  readonly path?: string;
  /** A context given by the user; else the current one. */
  readonly context?: string;
}

export interface OpenedKubeconfig extends Connection {
  readonly context: string;
  readonly namespace: string | null;
}

const execLimitMs = 20_000;
const inClusterTokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** The kubeconfig files that would be read, existing or not. */
function kubeconfigPaths(choice: KubeconfigChoice, env = process.env): string[] {
  if (choice.path) return [choice.path];
  if (env.KUBECONFIG) return env.KUBECONFIG.split(delimiter).filter(Boolean);
  return [join(homedir(), ".kube", "config")];
}

/** Whether there is a kubeconfig to read, given or found. */
export function hasKubeconfig(choice: KubeconfigChoice): boolean {
  return choice.path !== undefined || kubeconfigPaths(choice).some((path) => existsSync(path));
}

/** Whether this process runs in a pod with a service account. */
export function isInCluster(): boolean {
  return Boolean(process.env.KUBERNETES_SERVICE_HOST) && existsSync(inClusterTokenFile);
}

/** Connects as the pod's service account. */
export async function openInCluster(): Promise<OpenedKubeconfig> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromCluster();
  return { ...connectionOf(config, new Map()), context: "in-cluster", namespace: config.getContextObject(config.currentContext)?.namespace ?? null };
}

/**
 * Connects as the user of a kubeconfig context. Nothing is sent yet. Rejects with an InputError that says what to do
 * where the file, the context or one of its entries is missing or broken.
 */
export async function openKubeconfig(choice: KubeconfigChoice): Promise<OpenedKubeconfig> {
  const paths = kubeconfigPaths(choice).filter((path) => choice.path !== undefined || existsSync(path));
  if (paths.length === 0) {
    throw new InputError(`No kubeconfig found at ${kubeconfigPaths(choice).join(" or ")}. Pass one with --kubeconfig FILE, or set KUBECONFIG.`);
  }
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  const tokenFiles = new Map<string, string>();
  for (const path of paths) mergeFile(config, tokenFiles, path, KubeConfig);
  const context = choice.context ?? config.currentContext;
  if (!context) throw new InputError(`${paths.join(", ")} has no current-context. Choose one with --context: ${names(config.contexts)}.`);
  const chosen = config.getContextObject(context);
  if (!chosen) throw new InputError(`There is no context "${context}" in ${paths.join(", ")}. It has ${names(config.contexts)}.`);
  if (!config.getCluster(chosen.cluster)) {
    throw new InputError(
      `Context "${context}" names the cluster "${chosen.cluster}", which ${paths.join(", ")} doesn't define. Add it with: kubectl config set-cluster ${chosen.cluster} --server=…`,
    );
  }
  // client-node would go on without credentials and even ignore the CA (stack.md 2).
  if (!config.getUser(chosen.user)) {
    throw new InputError(
      `Context "${context}" names the user "${chosen.user}", which ${paths.join(", ")} doesn't define. Add it with: kubectl config set-credentials ${chosen.user} …`,
    );
  }
  config.setCurrentContext(context);
  return { ...connectionOf(config, tokenFiles), context, namespace: chosen.namespace ?? null };
}

/** Adds one file as kubectl does: the first file that defines a name wins. */
function mergeFile(into: KubeConfig, tokenFiles: Map<string, string>, path: string, Config: typeof KubeConfig): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "doesn't exist" : `can't be read (${(error as Error).message})`;
    throw new InputError(`The kubeconfig ${path} ${why}. Pass another with --kubeconfig FILE.`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) throw new InputError(`The kubeconfig ${path} isn't valid YAML, line ${lines.linePos(broken.pos[0]).line}: ${broken.message.split("\n")[0]}`);
  if (!isMap(document.contents)) throw new InputError(`${path} isn't a kubeconfig: it holds no clusters, contexts and users.`);
  const file = new Config();
  try {
    file.loadFromString(text);
  } catch (error) {
    throw new InputError(`The kubeconfig ${path} is incomplete: ${(error as Error).message}.`);
  }
  file.makePathsAbsolute(dirname(path));
  // kubectl speaks plain HTTP where the address says so; client-node only with this.
  file.clusters = file.clusters.map((cluster) => (cluster.server.startsWith("http:") ? { ...cluster, skipTLSVerify: true } : cluster));
  if (file.currentContext && !into.currentContext) into.currentContext = file.currentContext;
  for (const cluster of file.clusters) if (!into.getCluster(cluster.name)) into.addCluster(cluster);
  for (const context of file.contexts) if (!into.getContextObject(context.name)) into.addContext(context);
  for (const user of file.users) {
    if (into.getUser(user.name)) continue;
    into.addUser(user);
    const tokenFile = tokenFileOf(document.get("users"), user.name);
    if (tokenFile) tokenFiles.set(user.name, isAbsolute(tokenFile) ? tokenFile : join(dirname(path), tokenFile));
  }
}

/** client-node drops `tokenFile` and would go on as nobody (stack.md 2). */
function tokenFileOf(users: unknown, name: string): string | undefined {
  if (!isSeq(users)) return undefined;
  for (const entry of users.items) {
    if (!isMap(entry) || entry.get("name") !== name) continue;
    const tokenFile = entry.getIn(["user", "tokenFile"]);
    return typeof tokenFile === "string" ? tokenFile : undefined;
  }
  return undefined;
}

function names(of: readonly { name: string }[]): string {
  return of.length === 0 ? "none" : of.map((one) => `"${one.name}"`).join(", ");
}

function connectionOf(config: KubeConfig, tokenFiles: Map<string, string>): Connection {
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  if (!cluster || !user) throw new InputError("The kubeconfig context is incomplete.");
  const dispatchers = new Map<string, Dispatcher>();
  let current: { promise: ReturnType<Connection["authorize"]>; until: number } | null = null;

  async function authorize() {
    const options: Record<string, unknown> & { headers: Record<string, string> } = { headers: {} };
    try {
      const tokenFile = tokenFiles.get(user?.name ?? "");
      // A file that is rotated (projected tokens) must be read anew.
      if (tokenFile && user) Object.assign(user, { token: readFileSync(tokenFile, "utf8").trim() });
      await withLimit(config.applyToHTTPSOptions(options as never), execLimitMs, () => execProblem(user, `it gave no answer in ${execLimitMs / 1000} s`));
    } catch (error) {
      throw error instanceof InputError ? error : credentialsProblem(user, error as Error);
    }
    const headers = { ...options.headers };
    if (typeof options.auth === "string") headers.Authorization = `Basic ${Buffer.from(options.auth).toString("base64")}`;
    return { headers, dispatcher: dispatcherFor(options) };
  }

  function dispatcherFor(options: Record<string, unknown>): Dispatcher {
    const tls = Object.fromEntries(["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"].map((k) => [k, options[k]]));
    const key = JSON.stringify(Object.values(tls).map(String));
    let dispatcher = dispatchers.get(key);
    if (!dispatcher) {
      const wanted = config.createDispatcherOptions(cluster, tls as never);
      if (wanted.type === "proxy") dispatcher = new ProxyAgent({ uri: wanted.uri, requestTls: wanted.requestTls as never });
      else if (wanted.type === "socks") dispatcher = new Socks5ProxyAgent(wanted.uri, { connect: wanted.requestTls } as never);
      else dispatcher = new Agent(wanted.type === "agent" ? { connect: wanted.connect as never } : {});
      dispatchers.set(key, dispatcher);
    }
    return dispatcher;
  }

  return {
    server: cluster.server,
    // Twenty requests start at once: they share one run of an exec plugin.
    authorize() {
      if (!current || current.until < performance.now()) {
        const promise = authorize();
        const mine = { promise, until: performance.now() + 10_000 };
        current = mine;
        promise.catch(() => {
          if (current === mine) current = null;
        });
      }
      return current.promise;
    },
    async close() {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

function execCommand(user: User | null): string | undefined {
  return user?.exec?.command ?? user?.authProvider?.config?.exec?.command;
}

function execProblem(user: User | null, why: string): InputError {
  return new InputError(
    `The credential plugin "${execCommand(user) ?? "exec"}" of the kubeconfig user "${user?.name}" failed: ${why}. Run it by hand, or log in again.`,
  );
}

function credentialsProblem(user: User | null, error: Error): InputError {
  if (execCommand(user)) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return execProblem(user, missing ? "it isn't installed or not on PATH" : error.message.trim().split("\n").slice(-3).join(" ") || "it exited with an error");
  }
  return new InputError(`The credentials of the kubeconfig user "${user?.name}" can't be read: ${error.message}.`);
}

async function withLimit<T>(work: Promise<T>, ms: number, problem: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(problem()), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
