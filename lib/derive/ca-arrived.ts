import type { CaSecret, Fact, Lookup, WebhookRegistration } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import type { Deployment } from "../model/kubernetes.ts";
import { caEntries, trustedCas } from "./trusted-ca.ts";

/**
 * Whether the registrations of the install in a namespace have its webhook's CA: in all of them, missing from one, or `unknown`
 * where they have something that can't be compared.
 */
export function caArrived(
  namespace: string,
  facts: {
    readonly deployments: readonly Deployment[];
    readonly webhooks: Fact<readonly WebhookRegistration[]>;
    readonly caSecrets: Fact<readonly Lookup<CaSecret>[]>;
  },
): "yes" | "no" | "unknown" {
  const registered = { deployments: facts.deployments, webhooks: knownValue(facts.webhooks) ?? [] };
  const entries = caEntries(registered).filter(({ install }) => install.namespace === namespace);
  const compared = trustedCas({ ...registered, caSecrets: knownValue(facts.caSecrets) ?? [] }).filter(({ install }) => install.namespace === namespace);
  if (entries.some(({ bundle }) => bundle === null || bundle.length === 0) || compared.some(({ trusted }) => !trusted)) return "no";
  return entries.length > 0 && compared.length === entries.length ? "yes" : "unknown";
}
