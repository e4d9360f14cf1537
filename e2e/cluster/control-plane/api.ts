import { readFileSync } from "node:fs";
import { Agent, request } from "undici";
import { apiServerUrl, users } from "./layout.ts";

/** An answer that isn't 2xx, with the API server's words. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly deletionTimestamp?: string;
}

/** The API server as its administrator, for the stand-ins of a node. */
export class Api {
  private readonly agent: Agent;

  constructor(caFile: string) {
    this.agent = new Agent({ connect: { ca: readFileSync(caFile) } });
  }

  async call<T>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object, contentType = "application/json"): Promise<T> {
    const answer = await request(apiServerUrl + path, {
      method,
      dispatcher: this.agent,
      headers: { authorization: `Bearer ${users.admin.token}`, "content-type": contentType },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new ApiError(answer.statusCode, `${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return (text.startsWith("{") ? JSON.parse(text) : text) as T;
  }

  async list<T>(path: string): Promise<readonly T[]> {
    return (await this.call<{ items: T[] }>("GET", `${path}?resourceVersion=0`)).items;
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}
