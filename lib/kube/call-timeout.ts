import type { WebhookConfiguration } from "../model/kubernetes.ts";

/** The longest time that a webhook may be given, in seconds, and what cert-manager's registrations give theirs since 1.14. */
export const longestTimeout = 30;

/** `kubectl patch` of every entry that calls the Service, so that its calls may take as long as that. */
export function setCallTimeout(configurations: readonly WebhookConfiguration[], service: string | undefined, seconds: number): string {
  return configurations
    .flatMap(({ kind, metadata, webhooks = [] }) => {
      const operations = webhooks.flatMap(({ clientConfig }, index) =>
        clientConfig?.service?.name === service ? [{ op: "add", path: `/webhooks/${index}/timeoutSeconds`, value: seconds }] : [],
      );
      return operations.length > 0 ? [`kubectl patch ${kind.toLowerCase()} ${metadata.name} --type=json -p '${JSON.stringify(operations)}'`] : [];
    })
    .join("\n");
}
