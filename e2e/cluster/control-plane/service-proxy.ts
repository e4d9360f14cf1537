import { execFileSync } from "node:child_process";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Api, Metadata } from "./api.ts";
import { relay } from "./relay.ts";

/** What stands behind a Service's address instead of its endpoints. */
export type Misbehaviour =
  | { readonly kind: "refuse" | "hang" | "reset" | "plain-http" | "drop" | "no-route" }
  | { readonly kind: "certificate"; readonly certificate: string; readonly key: string };

type Cut = "drop" | "no-route";

const routes: Readonly<Record<Cut, (host: string) => readonly string[]>> = {
  drop: (host) => [`${host}/32`, "dev", "void", "table", "local"],
  "no-route": (host) => ["unreachable", `${host}/32`, "table", "local"],
};

interface Service {
  readonly metadata: Metadata;
  readonly spec: { readonly clusterIP?: string; readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[] };
}

interface EndpointSlice {
  readonly metadata: Metadata;
  readonly endpoints?: readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[] | null;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
}

interface Listener {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** What it does, to see when that changes. */
  readonly does: string;
}

/** Stands in for kube-proxy: each Service's address leads to a ready endpoint, refuses where there is none, or misbehaves when told to. */
export class ServiceProxy {
  private readonly api: Api;
  private readonly isListening: (host: string, port: number) => boolean;
  private readonly listeners = new Map<string, Listener>();
  private readonly misbehaviours = new Map<string, Misbehaviour>();
  /** The kind of route by which packets to an address are kept from arriving. */
  private readonly cut = new Map<string, Cut>();
  private targets = new Map<string, readonly { host: string; port: number }[]>();

  /** `isListening` tells of a pod's address whether a connection to it is taken. */
  constructor(api: Api, isListening: (host: string, port: number) => boolean) {
    this.api = api;
    this.isListening = isListening;
  }

  /** `service` as namespace/name; null ends the misbehaviour. */
  async misbehave(service: string, how: Misbehaviour | null): Promise<void> {
    if (how) this.misbehaviours.set(service, how);
    else this.misbehaviours.delete(service);
    await this.reconcile();
  }

  async reset(): Promise<void> {
    this.misbehaviours.clear();
    await this.reconcile();
  }

  /** Brings the listeners in step with Services and EndpointSlices. */
  async reconcile(): Promise<void> {
    const [services, slices] = await Promise.all([
      this.api.list<Service>("/api/v1/services"),
      this.api.list<EndpointSlice>("/apis/discovery.k8s.io/v1/endpointslices"),
    ]);
    const wanted = new Map<string, { host: string; port: number; does: string; how: Misbehaviour | undefined }>();
    const targets: typeof this.targets = new Map();
    const cut = new Map<string, Cut>();
    for (const { metadata, spec } of services) {
      const host = spec.clusterIP;
      if (!host || host === "None") continue;
      const how = this.misbehaviours.get(`${metadata.namespace}/${metadata.name}`);
      for (const port of spec.ports ?? []) {
        const address = `${host}:${port.port}`;
        const ready = slices
          .filter((slice) => slice.metadata.namespace === metadata.namespace && slice.metadata.labels?.["kubernetes.io/service-name"] === metadata.name)
          .flatMap((slice) => {
            const target = slice.ports?.find((one) => (one.name ?? "") === (port.name ?? ""))?.port;
            const endpoints = (slice.endpoints ?? []).filter((endpoint) => endpoint.conditions?.ready !== false);
            return target ? endpoints.flatMap((endpoint) => endpoint.addresses.map((ip) => ({ host: ip, port: target }))) : [];
          })
          .filter((target) => this.isListening(target.host, target.port));
        targets.set(address, ready);
        if (how?.kind === "drop" || how?.kind === "no-route") cut.set(host, how.kind);
        if (how?.kind === "refuse" || cut.has(host) || (!how && ready.length === 0)) continue;
        wanted.set(address, { host, port: port.port, how, does: JSON.stringify(how ?? "forward") });
      }
    }
    this.targets = targets;
    for (const [address, listener] of this.listeners) if (wanted.get(address)?.does !== listener.does) await this.close(address, listener);
    // Connections that are kept must be seen to end: what is sent on them later would wait for an answer instead of a route.
    this.route(cut);
    for (const [address, { host, port, how, does }] of wanted) if (!this.listeners.has(address)) await this.open(address, host, port, how, does);
  }

  async stop(): Promise<void> {
    for (const [address, listener] of this.listeners) await this.close(address, listener);
  }

  private async open(address: string, host: string, port: number, how: Misbehaviour | undefined, does: string): Promise<void> {
    const sockets = new Set<Socket>();
    const serve = (socket: Socket): void => {
      socket.on("error", () => socket.destroy());
      if (how?.kind === "hang") return;
      if (how?.kind === "reset") socket.once("data", () => socket.resetAndDestroy());
      else if (how?.kind === "plain-http") socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"));
      else this.forward(address, socket);
    };
    const server =
      how?.kind === "certificate"
        ? createTlsServer({ cert: how.certificate, key: how.key }, (socket) =>
            socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
          ).on("tlsClientError", () => {})
        : createServer(serve);
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ host, port }, resolve));
    this.listeners.set(address, { server, sockets, does });
  }

  private forward(address: string, socket: Socket): void {
    const targets = this.targets.get(address) ?? [];
    const target = targets[Math.floor(Math.random() * targets.length)];
    if (!target) {
      socket.resetAndDestroy();
      return;
    }
    relay(socket, connect(target));
  }

  private async close(address: string, { server, sockets }: Listener): Promise<void> {
    this.listeners.delete(address);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Packets to these addresses go to a bridge with no ports, where nobody takes them, or are said to have no route. */
  private route(wanted: ReadonlyMap<string, Cut>): void {
    const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });
    for (const [host, how] of this.cut) {
      if (wanted.get(host) === how) continue;
      ip("route", "del", ...routes[how](host));
      this.cut.delete(host);
    }
    for (const [host, how] of wanted) {
      if (this.cut.has(host)) continue;
      ip("route", "add", ...routes[how](host));
      this.cut.set(host, how);
    }
  }
}
