import { isSelectedBy } from "../kube/label-selector.ts";
import { type ApiProbe, type Fact, knownValue, type Lookup, type WebhookRegistration } from "../model/facts.ts";
import type { KubeObject, WebhookConfiguration } from "../model/kubernetes.ts";

/** Whether the namespace in which the API check asks is known to be left out by every registration of a kind. */
export function isProbeExempt(
  kind: WebhookConfiguration["kind"],
  facts: { readonly apiProbe: ApiProbe; readonly webhooks: Fact<readonly WebhookRegistration[]>; readonly namespaces: Fact<readonly Lookup<KubeObject>[]> },
): boolean {
  const labels = knownValue(facts.namespaces)?.find(({ ref }) => ref.name === facts.apiProbe.namespace)?.object?.metadata.labels;
  const entries = (knownValue(facts.webhooks) ?? []).flatMap(({ configuration }) => (configuration.kind === kind ? (configuration.webhooks ?? []) : []));
  return labels !== undefined && entries.length > 0 && entries.every(({ namespaceSelector }) => !isSelectedBy(labels, namespaceSelector ?? {}));
}
