import { caSecretOf, type Install } from "../kube/install.ts";
import type { CaSecret, CertificateFacts, Lookup, WebhookRegistration } from "../model/facts.ts";
import type { Deployment, WebhookConfiguration } from "../model/kubernetes.ts";
import { installServed } from "./called-services.ts";
import { installs } from "./installs.ts";

/** One entry of a webhook registration, and the Secret with the CA that signs the certificate of the webhook that it calls. */
export interface CaEntry {
  readonly install: Install;
  readonly configuration: WebhookConfiguration;
  readonly index: number;
  /** What the API server trusts: null where it isn't PEM, [] where it is empty. */
  readonly bundle: readonly CertificateFacts[] | null;
  readonly secret: { readonly namespace: string; readonly name: string };
}

/** The same beside the CA itself. */
export interface TrustedCa extends CaEntry {
  readonly ca: readonly CertificateFacts[];
  /** Whether the bundle contains the CA. Bundles gather older CAs from 1.17 on, so they needn't be equal (catalogue, ca-bundle-mismatch). */
  readonly trusted: boolean;
}

interface Registered {
  readonly deployments: readonly Deployment[];
  readonly webhooks: readonly WebhookRegistration[];
}

const known = new WeakMap<readonly WebhookRegistration[], { readonly deployments: readonly Deployment[]; readonly entries: readonly CaEntry[] }>();

/** Every registration entry whose webhook keeps its CA in a Secret. What an earlier release left behind in an install's namespace isn't the install's. */
export function caEntries({ webhooks, deployments }: Registered): readonly CaEntry[] {
  const before = known.get(webhooks);
  if (before?.deployments === deployments) return before.entries;
  const found = installs({ deployments });
  const entries = webhooks.flatMap(({ configuration, caBundles }) => {
    const install = installServed(configuration, { webhooks, installs: found });
    const secret = install && caSecretOf(install);
    return secret ? caBundles.map((bundle, index) => ({ install, configuration, index, bundle, secret })) : [];
  });
  known.set(webhooks, { deployments, entries });
  return entries;
}

/** Those whose Secret could be read. */
export function trustedCas(facts: Registered & { readonly caSecrets: readonly Lookup<CaSecret>[] }): readonly TrustedCa[] {
  return caEntries(facts).flatMap((entry) => {
    const found = facts.caSecrets.find(({ ref }) => ref.namespace === entry.secret.namespace && ref.name === entry.secret.name);
    const ca = found?.object?.caCertificates;
    if (!ca || ca.length === 0) return [];
    return [{ ...entry, ca, trusted: ca.every((one) => entry.bundle?.some((other) => other.fingerprint === one.fingerprint) ?? false) }];
  });
}
