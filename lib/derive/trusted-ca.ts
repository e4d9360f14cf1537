import { caSecretOf, type Install } from "../kube/install.ts";
import type { CaSecret, CertificateFacts, Lookup, WebhookRegistration } from "../model/facts.ts";
import type { Deployment, WebhookConfiguration } from "../model/kubernetes.ts";
import { installBehind } from "./called-services.ts";
import { installs } from "./installs.ts";

/** One entry of a webhook registration beside the CA that signs the certificate of the webhook that it calls. */
export interface TrustedCa {
  readonly install: Install;
  readonly configuration: WebhookConfiguration;
  readonly index: number;
  /** What the API server trusts: null where it isn't PEM, [] where it is empty. */
  readonly bundle: readonly CertificateFacts[] | null;
  readonly secret: CaSecret;
  readonly ca: readonly CertificateFacts[];
  /** Whether the bundle contains the CA. Bundles gather older CAs from 1.17 on, so they needn't be equal (catalogue, ca-bundle-mismatch). */
  readonly trusted: boolean;
}

/** Every registration entry whose webhook keeps its CA in a Secret that could be read. */
export function trustedCas(facts: {
  readonly deployments: readonly Deployment[];
  readonly webhooks: readonly WebhookRegistration[];
  readonly caSecrets: readonly Lookup<CaSecret>[];
}): readonly TrustedCa[] {
  const found = installs(facts);
  return facts.webhooks.flatMap(({ configuration, caBundles }) => {
    const install = installBehind(configuration, { webhooks: facts.webhooks, installs: found });
    const wanted = install && caSecretOf(install);
    const secret = facts.caSecrets.find(({ ref }) => ref.namespace === wanted?.namespace && ref.name === wanted?.name)?.object;
    const ca = secret?.caCertificates;
    if (!install || !secret || !ca || ca.length === 0) return [];
    return caBundles.map((bundle, index) => {
      const trusted = ca.every((one) => bundle?.some((other) => other.fingerprint === one.fingerprint) ?? false);
      return { install, configuration, index, bundle, secret, ca, trusted };
    });
  });
}
