import type { Misbehaviour } from "./service-proxy.ts";

/** What the control plane can be told from outside its namespace; each answers when it is done. */
export interface Commands {
  /** Remembers everything that is stored now under a name. */
  save(name: string): Promise<void>;
  /** Ends cert-manager's programs and every misbehaviour, brings registries back, and puts everything stored back as it was under that name. */
  restore(name: string): Promise<void>;
  /** Stores custom resources past the API server and its admission, thousands in a second. */
  store(objects: readonly { readonly key: string; readonly object: object }[]): Promise<void>;
  /** Ends a component's program without the cluster noticing; its pod stays listed as it was. */
  lose(component: Component, signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  resume(component: Component): Promise<void>;
  /** What stands behind a Service's address (`namespace/name`) instead of its endpoints; null ends it. */
  misbehave(service: string, how: Misbehaviour | null): Promise<void>;
  /** Makes a registry one that the nodes can't resolve. */
  hide(registry: string): Promise<void>;
}

export type Component = "controller" | "webhook" | "cainjector";

export type Message = { readonly id: number; readonly method: keyof Commands; readonly args: readonly unknown[] };
export type Answer = { readonly ready: true } | { readonly failed: string } | { readonly id: number; readonly error?: string };

/** Where things are, handed to the process inside. */
export interface Place {
  /** The socket that leads to the API server. */
  readonly socket: string;
  readonly folder: string;
  readonly binaries: string;
  readonly programs: Readonly<Record<string, string>>;
}
