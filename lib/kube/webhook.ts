import type { WebhookConfiguration } from "../model/kubernetes.ts";

const groups = ["cert-manager.io", "acme.cert-manager.io"];

/** Whether a registration is cert-manager's own: its rules name cert-manager's API groups and it calls cert-manager's paths (catalogue 0.1). */
export function isOurs(configuration: WebhookConfiguration): boolean {
  return (configuration.webhooks ?? []).some((webhook) => {
    const path = webhook.clientConfig.service?.path ?? webhook.clientConfig.url ?? "";
    return /\/(validate|mutate)$/.test(path) && (webhook.rules ?? []).some((rule) => rule.apiGroups?.some((group) => groups.includes(group)));
  });
}
