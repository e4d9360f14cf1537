import type { ServerResponse } from "node:http";
import type { ApiAnswer } from "./api-answer.ts";

/** A way in which one request goes wrong. */
export type Fault =
  | { readonly kind: "status"; readonly code: 403 | 404 | 429 | 500 | 401 | 503 }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "cut-off" }
  | { readonly kind: "garbage" }
  | { readonly kind: "hang" };

/** Decides per request whether it goes wrong; `line` as in SnapshotServer.requests. */
export type FaultOf = (line: string) => Fault | undefined;

/** Sends an answer; a delayed one is dropped when the client goes first. */
export function send(response: ServerResponse, answer: ApiAnswer, delayMs = answer.delayMs ?? 0): void {
  const write = (): void => {
    response.writeHead(answer.code, headersOf(answer)).end(answer.body);
  };
  if (delayMs <= 0) {
    write();
    return;
  }
  const timer = setTimeout(write, delayMs);
  response.on("close", () => clearTimeout(timer));
}

/** Sends half of an answer's body and ends the connection, as a broken proxy does. */
export function sendHalf(response: ServerResponse, answer: ApiAnswer): void {
  const half = Buffer.from(answer.body).subarray(0, Math.floor(Buffer.byteLength(answer.body) / 2));
  response.writeHead(answer.code, headersOf(answer));
  response.write(half, () => response.destroy());
}

/** Success by its status line, nonsense by its body. */
export const garbage: ApiAnswer = { code: 200, contentType: "application/json", body: '<html><body>Please log in</body></html>{"items": [' };

function headersOf(answer: ApiAnswer): Record<string, string | number> {
  return {
    ...(answer.code === 204 ? {} : { "content-type": answer.contentType, "content-length": Buffer.byteLength(answer.body) }),
    "cache-control": "no-cache, private",
    ...answer.headers,
  };
}
