import type { WebhookConfiguration } from "../model/kubernetes.ts";

type Operation = { readonly op: "replace" | "add"; readonly field: string; readonly value: unknown } | { readonly op: "remove"; readonly field: string };

/** Changes fields of one entry of a registration. The command refuses where the entry has moved since. */
export function patchRegistration({ kind, metadata, webhooks }: WebhookConfiguration, index: number, operations: readonly Operation[]): string {
  const at = `/webhooks/${index}`;
  const guard = { op: "test", path: `${at}/name`, value: webhooks?.[index]?.name };
  const patch = [guard, ...operations.map(({ op, field, ...rest }) => ({ op, path: `${at}/${field}`, ...rest }))];
  return `kubectl patch ${kind.toLowerCase()} ${metadata.name} --type=json -p '${JSON.stringify(patch)}'`;
}
