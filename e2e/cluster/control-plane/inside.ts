import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { admissionConfig } from "./admission.ts";
import { Api } from "./api.ts";
import type { Answer, Commands, Message, Place } from "./commands.ts";
import { Etcd, type StoredState } from "./etcd.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { Kubelet } from "./kubelet.ts";
import { kwokConfig, node } from "./kwok.ts";
import { addresses, users } from "./layout.ts";
import { Process } from "./process.ts";
import { Registries } from "./registries.ts";
import { ServiceProxy } from "./service-proxy.ts";
import { until } from "./wait.ts";

/**
 * The control plane, as the first process of its own network and process namespaces: its addresses are reached from nowhere
 * else, and whatever runs in it ends with it. Told what to do by messages; ends when the other end goes.
 */
const place = JSON.parse(process.argv[2] ?? "") as Place;
const { folder } = place;
const logs = join(folder, "logs");
const processes: Process[] = [];
const signingKey = "service-account.key";
const say = (answer: Answer): void => void process.send?.(answer);
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

process.on("disconnect", () => void end());
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => {
  // The terminal sends it to everyone; whoever started this one decides when it ends.
});

let kubelet: Kubelet | undefined;
let proxy: ServiceProxy | undefined;
let controllers: Process | undefined;
let ticking = true;

try {
  await start();
} catch (error) {
  const tails = processes.map((one) => `--- ${one.name}${one.running ? "" : " (ended)"}\n${one.tail()}`).join("\n");
  say({ failed: `${(error as Error).message}\n${tails}` });
  await end();
}

async function start(): Promise<void> {
  mkdirSync(logs, { recursive: true });
  setUpNetwork();
  const etcd = new Etcd();
  const api = await startControlPlane(etcd);
  // From now on the API server is reached from outside, by this socket only.
  createServer((socket) => {
    const upstream = connect(addresses.apiServer);
    for (const end of [socket, upstream]) end.on("error", () => end.destroy());
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(place.socket);

  const serving = JSON.parse(run("certificate", "--name", `system:node:${node.metadata.name}`, "--hosts", `${node.metadata.name},${addresses.node}`)) as {
    certificate: string;
    key: string;
  };
  const registries = new Registries(join(dirname(folder), "copied-images"));
  kubelet = new Kubelet({ api, registries, binaries: place.binaries, folder: logs, caFile: caFile(), serving });
  await kubelet.start();
  proxy = new ServiceProxy(api, (host, port) => !host.startsWith("10.244.") || (kubelet?.listens(host, port) ?? false));
  await api.call("POST", "/api/v1/nodes", node);
  launch("kwok", ["--kubeconfig", kubeconfigOf("admin"), "--config", file("kwok.yaml", kwokConfig()), "--manage-all-nodes"]);
  await until("the node to be ready", async () => {
    const { status } = await api.call<{ status?: { conditions?: { type: string; status: string }[] } }>("GET", `/api/v1/nodes/${node.metadata.name}`);
    return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  });
  serve(commands(etcd, kubelet, proxy, registries));
  void tick(kubelet, proxy);
  say({ ready: true });
}

function setUpNetwork(): void {
  const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });
  ip("link", "set", "lo", "up");
  for (const range of [addresses.services, addresses.pods, `${addresses.node}/32`]) ip("route", "add", "local", range, "dev", "lo");
  // A bridge with no ports takes packets and delivers them nowhere.
  ip("link", "add", "void", "type", "bridge");
  ip("link", "set", "void", "arp", "off", "up");
}

async function startControlPlane(etcd: Etcd): Promise<Api> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  file(signingKey, privateKey);
  const url = `http://${addresses.etcd.host}:${addresses.etcd.port}`;
  launch("etcd", [
    "--data-dir",
    join(folder, "etcd"),
    "--unsafe-no-fsync",
    "--listen-client-urls",
    url,
    "--advertise-client-urls",
    url,
    "--listen-peer-urls",
    "http://127.0.0.1:2380",
    "--initial-advertise-peer-urls",
    "http://127.0.0.1:2380",
    "--initial-cluster",
    "default=http://127.0.0.1:2380",
    "--log-level",
    "warn",
    "--max-txn-ops",
    "100000",
    "--max-request-bytes",
    String(256 * 1024 * 1024),
  ]);
  await until("etcd", () => etcd.save().then(() => true));
  const { host, port } = addresses.apiServer;
  const tokens = Object.entries(users).map(([uid, { token, name, groups }]) => `${token},${name},${uid}${groups ? `,"${groups}"` : ""}`);
  launch("kube-apiserver", [
    `--etcd-servers=${url}`,
    `--service-cluster-ip-range=${addresses.services}`,
    `--bind-address=${host}`,
    `--advertise-address=${addresses.node}`,
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${file("tokens.csv", `${tokens.join("\n")}\n`)}`,
    "--authorization-mode=Node,RBAC",
    `--service-account-key-file=${file("service-account.pub", publicKey)}`,
    `--service-account-signing-key-file=${join(folder, signingKey)}`,
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--admission-control-config-file=${file("admission.yaml", admissionConfig)}`,
    "--allow-privileged=true",
    "--endpoint-reconciler-type=none",
    "--kubelet-preferred-address-types=InternalIP",
  ]);
  const api = await until("the API server", async () => {
    const opened = new Api(caFile());
    await opened.call("GET", "/readyz");
    return opened;
  });
  controllers = launchControllers();
  launch("kube-scheduler", [
    ...["--kubeconfig", "--authentication-kubeconfig", "--authorization-kubeconfig"].map((flag) => `${flag}=${kubeconfigOf("scheduler")}`),
    "--leader-elect=false",
    "--bind-address=127.0.0.1",
  ]);
  await until("the default service account", () => api.call("GET", "/api/v1/namespaces/default/serviceaccounts/default"));
  return api;
}

function launchControllers(): Process {
  return launch("kube-controller-manager", [
    ...["--kubeconfig", "--authentication-kubeconfig", "--authorization-kubeconfig"].map((flag) => `${flag}=${kubeconfigOf("controllers")}`),
    "--leader-elect=false",
    "--bind-address=127.0.0.1",
    `--service-account-private-key-file=${join(folder, signingKey)}`,
    "--use-service-account-credentials=true",
    "--concurrent-gc-syncs=5",
  ]);
}

function commands(etcd: Etcd, node: Kubelet, services: ServiceProxy, registries: Registries): Commands {
  const saved = new Map<string, StoredState>();
  return {
    async save(name) {
      saved.set(name, await etcd.save());
    },
    async restore(name) {
      const state = saved.get(name);
      if (!state) throw new Error(`nothing is saved as ${name}`);
      // They remember what is gone: a garbage collector that saw an owner go would take what belongs to it for ever.
      await controllers?.stop("SIGKILL");
      await node.reset();
      await services.reset();
      registries.reset();
      await etcd.restore(state);
      controllers = launchControllers();
    },
    store: (objects) => etcd.put(objects),
    lose: (component, signal) => node.lose(component, signal),
    resume: (component) => node.resume(component),
    misbehave: (service, how) => services.misbehave(service, how),
    async hide(registry) {
      registries.hide(registry);
    },
  };
}

function serve(known: Commands): void {
  process.on("message", ({ id, method, args }: Message) => {
    const call = known[method] as (...args: readonly unknown[]) => Promise<void>;
    call(...args).then(
      () => say({ id }),
      (error: Error) => say({ id, error: error.message }),
    );
  });
}

/** The node's and the proxy's work, a few times a second. */
async function tick(node: Kubelet, services: ServiceProxy): Promise<void> {
  while (ticking) {
    try {
      await node.reconcile();
      await services.reconcile();
    } catch (error) {
      writeFileSync(join(logs, "tick.log"), `${new Date().toISOString()} ${(error as Error).stack}\n`, { flag: "a" });
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

function launch(name: string, args: readonly string[]): Process {
  const launched = new Process(name, place.programs[name] ?? join(place.binaries, name), args, { logFile: join(logs, `${name}.log`) });
  processes.push(launched);
  return launched;
}

function run(name: string, ...args: string[]): string {
  return execFileSync(join(place.binaries, name), args, { encoding: "utf8" });
}

/** The certificate that the API server made for itself, with the CA that signed it. */
function caFile(): string {
  return join(folder, "apiserver.crt");
}

function kubeconfigOf(user: keyof typeof users): string {
  const server = `https://${addresses.apiServer.host}:${addresses.apiServer.port}`;
  return file(`${user}.kubeconfig`, kubeconfig(server, readFileSync(caFile(), "utf8"), users[user].token));
}

/** Everything ends with this process, the first of its namespace; the files go first. */
async function end(): Promise<void> {
  ticking = false;
  await Promise.all([...processes].map((one) => one.stop("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
