import { once } from "node:events";
import { createServer as createHttpsServer, type Server } from "node:https";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Agent, request } from "undici";

/** A way to the API server, as an address for kubeconfigs. */
export interface Link {
  readonly server: string;
  close(): Promise<void>;
}

/** A link on which every byte takes half of `roundTripMs` each way, as over a continent. */
export async function slowLink(server: string, roundTripMs: number): Promise<Link> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  const carry = (from: Socket, to: Socket): void => {
    from.on("data", (chunk) => setTimeout(() => to.writable && to.write(chunk), roundTripMs / 2));
    from.on("close", () => setTimeout(() => to.destroy(), roundTripMs / 2));
    from.on("error", () => from.destroy());
  };
  const relay = createServer((socket) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    carry(socket, upstream);
    carry(upstream, socket);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return { server: `https://127.0.0.1:${(relay.address() as AddressInfo).port}`, close: () => end(relay, sockets) };
}

/** A link that answers everything but the requests that `hangs` picks by `METHOD path`: those wait for ever. */
export async function hangingLink(server: string, ca: string, identity: { certificate: string; key: string }, hangs: (line: string) => boolean): Promise<Link> {
  const dispatcher = new Agent({ connect: { ca } });
  const sockets = new Set<Socket>();
  const relay = createHttpsServer({ cert: identity.certificate, key: identity.key }, async (asked, answer) => {
    if (hangs(`${asked.method} ${asked.url}`)) return;
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const { host, connection, "content-length": _, ...headers } = asked.headers;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    try {
      const got = await request(server + asked.url, { method: asked.method as "GET", headers: headers as Record<string, string>, body, dispatcher });
      answer.writeHead(got.statusCode, { "content-type": String(got.headers["content-type"]) }).end(Buffer.from(await got.body.arrayBuffer()));
    } catch {
      answer.destroy();
    }
  });
  relay.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    server: `https://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    async close() {
      await end(relay, sockets);
      await dispatcher.close();
    },
  };
}

async function end(server: Server | ReturnType<typeof createServer>, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
}
