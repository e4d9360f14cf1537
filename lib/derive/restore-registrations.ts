import { reapply } from "../kube/commands.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";
import { installs } from "./installs.ts";

type Key = "registrations" | "restore" | "restore-changes";

/** Shows the registrations of a kind that don't have the webhook called, and puts the install's own back, where the install is known. */
export function restoreRegistrations(
  plural: "mutatingwebhookconfigurations" | "validatingwebhookconfigurations",
  { deployments }: { readonly deployments: Fact<readonly Deployment[]> },
): readonly FixStep<Key>[] {
  const found = installs({ deployments: knownValue(deployments) ?? [] });
  const install = found.find((one) => one.components.webhook) ?? found[0];
  return [
    {
      title: { key: "registrations" },
      for: "kubectl",
      command: `kubectl get ${plural} -o custom-columns='NAME:.metadata.name,WEBHOOKS:.webhooks[*].name,POLICY:.webhooks[*].failurePolicy,NAMESPACES:.webhooks[*].namespaceSelector'`,
      effect: "none",
    },
    ...(install ? reapply<Key>(install, { title: { key: "restore" }, changes: { key: "restore-changes" } }) : []),
  ];
}
