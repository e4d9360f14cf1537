import type { WebhookCall } from "../kube/error-text.ts";
import type { Text } from "../model/text.ts";

/** What the webhook was called for; for the `strings` of checks about a failed call. */
export const roleStrings = {
  mutating:
    "The failed call was to `/mutate`, where the webhook records who asks for a certificate. From version 1.14 on only new CertificateRequests need it; before, all of cert-manager's kinds did.",
  validating: "The failed call was to `/validate`, which judges everything of cert-manager's kinds that is created or changed.",
} as const;

/** Says which of the webhook's roles a failed call was about, where its URL tells. */
export function roleOf({ path }: WebhookCall): readonly Text<keyof typeof roleStrings>[] {
  if (path === "mutate") return [{ key: "mutating" }];
  return path === "validate" ? [{ key: "validating" }] : [];
}
