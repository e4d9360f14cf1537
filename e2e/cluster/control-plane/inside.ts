import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Answer, Commands, Message, Place } from "./commands.ts";
import { Etcd, type StoredState } from "./etcd.ts";
import { Kubelet } from "./kubelet.ts";
import { addresses, podPrefix } from "./layout.ts";
import { Programs } from "./programs.ts";
import { Registries } from "./registries.ts";
import { relay } from "./relay.ts";
import { ServiceProxy } from "./service-proxy.ts";

/**
 * The control plane, as the first process of its own network and process namespaces: its addresses are reached from nowhere
 * else, and whatever runs in it ends with it. Told what to do by messages; ends when the other end goes.
 */
const place = JSON.parse(process.argv[2] ?? "") as Place;
const { folder } = place;
const logs = join(folder, "logs");
const programs = new Programs(place);
const say = (answer: Answer): void => void process.send?.(answer);
let ticking = true;

process.on("disconnect", () => void end());
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => {
  // The terminal sends it to everyone; whoever started this one decides when it ends.
});

try {
  await start();
} catch (error) {
  say({ failed: `${(error as Error).message}\n${programs.tails()}` });
  await end();
}

async function start(): Promise<void> {
  mkdirSync(logs, { recursive: true });
  setUpNetwork();
  const etcd = new Etcd();
  const api = await programs.startControlPlane(etcd);
  // From now on the API server is reached from outside, by this socket only.
  createServer((socket) => relay(socket, connect(addresses.apiServer))).listen(place.socket);
  const registries = new Registries(join(dirname(folder), "copied-images"));
  const kubelet = new Kubelet({ api, registries, binaries: place.binaries, folder: logs, caFile: programs.caFile, serving: programs.servingCertificate() });
  await kubelet.start();
  const services = new ServiceProxy(api, (host, port) => !host.startsWith(`${podPrefix}.`) || kubelet.listens(host, port));
  await programs.startNode(api);
  serve(commands(etcd, kubelet, services, registries));
  void tick(kubelet, services);
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
      await programs.stopControllers();
      await node.reset();
      await services.reset();
      registries.reset();
      await etcd.restore(state);
      programs.startControllers();
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

/** Everything ends with this process, the first of its namespace; the files go first. */
async function end(): Promise<void> {
  ticking = false;
  await programs.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
