import { setValues } from "../kube/chart-values.ts";
import { declaredPort, freePort, kubeletPort, movePort } from "../kube/webhook-port.ts";
import type { FixStep } from "../model/fix.ts";
import type { CalledWebhook } from "./called-webhook.ts";

/** What is said of putting the webhook on the nodes' network; for the `strings` of checks that offer it. */
export const hostNetworkStrings = {
  host: "Where the pod network can't be mended: put the webhook on the nodes' network",
  "host-changes":
    "The webhook's pods are replaced by new ones that listen on port 10260 of their node, so that calls don't cross the pod network. The namespace must allow `hostNetwork`, and firewalls port 10260 from the control plane.",
  "host-undo": "The same step with `hostNetwork` false and port {port} takes it back.",
} as const;

/** The steps that take the webhook out of the pod network; none where it is out already, and on Fargate, which has no such thing. */
export function moveToHostNetwork({ install, webhook, pods }: CalledWebhook): readonly FixStep<keyof typeof hostNetworkStrings>[] {
  if (!install || !webhook || webhook.spec.template.spec.hostNetwork === true) return [];
  if (pods.some((pod) => pod.spec.nodeName?.startsWith("fargate-"))) return [];
  return setValues(
    install,
    { title: { key: "host" }, changes: { key: "host-changes" }, undo: { key: "host-undo", values: { port: declaredPort(webhook) ?? kubeletPort } } },
    { webhook: { hostNetwork: true, securePort: freePort } },
    movePort(webhook, freePort, { hostNetwork: true }),
  ).map((step) => ({ ...step, instead: true }));
}
