import type { Dispatcher } from "undici";

/** How to reach one API server as one identity. */
export interface Connection {
  /** Base URL without a trailing slash; may have a path. */
  readonly server: string;
  /** Credentials for the next request; may run an exec plugin, so it can take seconds the first time. */
  authorize(): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly dispatcher?: Dispatcher }>;
  close(): Promise<void>;
}
