/** An answer of our own server that isn't a success; the message is for people. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "RequestError";
    this.status = status;
  }
}

/** Asks our own server for JSON. Rejects with a RequestError that carries the server's message. */
export async function requestJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : response.statusText;
  throw new RequestError(response.status, message);
}
