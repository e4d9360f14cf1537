import type { WebhookCall } from "../kube/error-text.ts";
import type { Install } from "../kube/install.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";
import { componentPods } from "./component-pods.ts";
import { installs } from "./installs.ts";

/** The webhook that a call was meant for, as far as it is known: by the namespace of the Service that was called. */
export interface CalledWebhook {
  readonly install?: Install;
  readonly webhook?: Deployment;
  readonly pods: readonly Pod[];
}

export function calledWebhook(
  { namespace }: WebhookCall,
  facts: { readonly deployments: Fact<readonly Deployment[]>; readonly pods: Fact<readonly Pod[]> },
): CalledWebhook {
  const found = installs({ deployments: knownValue(facts.deployments) ?? [] });
  const install = found.find((one) => one.namespace === namespace && one.components.webhook);
  if (!install) return { pods: [] };
  return { install, webhook: install.components.webhook, pods: componentPods({ pods: knownValue(facts.pods) ?? [] }, install, "webhook") };
}
