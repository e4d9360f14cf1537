import type { MissingReason, Rule } from "../model/facts.ts";

/** An answer that can't be used, or no answer. `message` names verb, resource and what to do about it. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly reason: MissingReason;
  /** HTTP status, 0 where there was no answer. */
  readonly status: number;
  readonly rule?: Rule;

  constructor(reason: MissingReason, message: string, options: { status?: number; cause?: unknown; rule?: Rule } = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.status = options.status ?? 0;
    this.rule = options.rule;
  }
}

/** A kubeconfig, bundle or option that can't be used. `message` says what to do; nothing was asked of a cluster yet. */
export class InputError extends Error {
  override readonly name = "InputError";
}
