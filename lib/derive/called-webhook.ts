import type { WebhookCall } from "../kube/error-text.ts";
import type { Install } from "../kube/install.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";
import { installs } from "./installs.ts";

/**
 * The webhook that a call was meant for, as far as it is known: by the namespace of the Service that was called. Where the API server
 * says nothing of a target, as it does of answers that it can't use, the only webhook there is.
 */
export interface CalledWebhook {
  readonly namespace?: string;
  readonly install?: Install;
  readonly webhook?: Deployment;
  readonly pods: readonly Pod[];
}

export function calledWebhook(
  { namespace, reason }: WebhookCall,
  facts: { readonly deployments: Fact<readonly Deployment[]>; readonly pods: Fact<readonly Pod[]> },
): CalledWebhook {
  const found = installs({ deployments: knownValue(facts.deployments) ?? [] }).filter((one) => one.components.webhook);
  const isUntold = namespace === undefined && !reason.includes("https://");
  const install = isUntold && found.length === 1 ? found[0] : found.find((one) => one.namespace === namespace);
  if (!install) return { namespace, pods: [] };
  return {
    namespace: install.namespace,
    install,
    webhook: install.components.webhook,
    pods: componentPods({ pods: knownValue(facts.pods) ?? [] }, install, "webhook"),
  };
}
