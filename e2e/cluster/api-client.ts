import { request } from "undici";
import { openKubeconfig } from "../../lib/cluster/kubeconfig.ts";
import type { Answered, Exchange } from "../../lib/snapshot/contract/exchange.ts";

/** A request as it goes over the wire. */
type Asked = Partial<Exchange> & Pick<Exchange, "path">;

/** An API server, asked without any reading between the lines. */
export interface ApiClient {
  ask(asked: Asked): Promise<Answered>;
  close(): Promise<void>;
}

/** The API server of a kubeconfig's current context. */
export async function openApi(kubeconfig: string): Promise<ApiClient> {
  const connection = await openKubeconfig({ path: kubeconfig });
  return {
    async ask(asked) {
      const { headers, dispatcher } = await connection.authorize();
      return send(connection.server, asked, { headers, dispatcher });
    },
    close: () => connection.close(),
  };
}

/** Asks a server that wants no credentials. */
export async function send(server: string, asked: Asked, as: Partial<Parameters<typeof request>[1]> & { headers?: object } = {}): Promise<Answered> {
  const { method = "GET", path, accept = "application/json", body } = asked;
  const contentType = asked.contentType ?? (body === undefined ? undefined : "application/json");
  const answer = await request(server + path, {
    ...as,
    method,
    headers: { ...as.headers, accept, "user-agent": "certmedic", ...(contentType ? { "content-type": contentType } : {}) },
    body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.statusCode, contentType: String(answer.headers["content-type"] ?? ""), text: await answer.body.text() };
}
