import { componentOf, type Install } from "../kube/install.ts";
import { isPodReady } from "../kube/readiness.ts";
import type { Component, Severity } from "../model/check.ts";
import type { CaSecret, Fact, Lookup, WebhookRegistration } from "../model/facts.ts";
import { knownValue } from "../model/facts.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";
import { trustedCas } from "./trusted-ca.ts";

/**
 * How bad it is that a component of the install in `namespace` doesn't run. cainjector can be missed while its work is
 * done: the CA bundles that it wrote hold until the CA is renewed.
 */
export function severityWithout(component: Component | undefined, namespace: string, webhooks: Fact<readonly WebhookRegistration[]>): Severity {
  return component === "cainjector" && bundlesAreFilled(namespace, knownValue(webhooks) ?? []) ? "degraded" : "blocker";
}

/** The same for cainjector, where the right CA may be known to be missing: there a full bundle doesn't help. */
export function severityWithoutCainjector(
  { namespace }: Install,
  facts: {
    readonly deployments: readonly Deployment[];
    readonly webhooks: Fact<readonly WebhookRegistration[]>;
    readonly caSecrets: Fact<readonly Lookup<CaSecret>[]>;
  },
): Severity {
  const { deployments, webhooks, caSecrets } = facts;
  const entries = trustedCas({ deployments, webhooks: knownValue(webhooks) ?? [], caSecrets: knownValue(caSecrets) ?? [] });
  const stale = entries.some(({ install, trusted }) => install.namespace === namespace && !trusted);
  return stale ? "blocker" : severityWithout("cainjector", namespace, webhooks);
}

/** The same for a pod that doesn't run: another one of its component may do the work. */
export function severityWithoutPod(pod: Pod, pods: readonly Pod[], webhooks: Fact<readonly WebhookRegistration[]>): Severity {
  const component = componentOf(pod, pod.spec.containers);
  const instance = (of: Pod) => of.metadata.labels?.["app.kubernetes.io/instance"];
  const served = pods.some(
    (other) =>
      other !== pod &&
      other.metadata.namespace === pod.metadata.namespace &&
      componentOf(other, other.spec.containers) === component &&
      instance(other) === instance(pod) &&
      isPodReady(other),
  );
  return served ? "degraded" : severityWithout(component, pod.metadata.namespace ?? "", webhooks);
}

/** Whether every registration that calls into the namespace has a CA bundle. */
export function bundlesAreFilled(namespace: string, webhooks: readonly WebhookRegistration[]): boolean {
  const own = webhooks.filter(({ configuration }) => configuration.webhooks?.some((webhook) => webhook.clientConfig.service?.namespace === namespace));
  return own.length > 0 && own.every(({ caBundles }) => caBundles.every((certificates) => certificates !== null && certificates.length > 0));
}
