import { type RefusedPods, refusalOutcome, refusalStrings, retrySteps, retryStrings } from "../derive/refused-pods.ts";
import { setValues } from "../kube/chart-values.ts";
import { kubeletPort } from "../kube/webhook-port.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

const violation = /violates PodSecurity "(?<level>[a-z]+):(?<version>[^"]*)": (?<what>.+)$/s;
/** What the baseline level lets through and the restricted one doesn't. */
const onlyRestricted = /^(?:allowPrivilegeEscalation|unrestricted capabilities|restricted volume types|runAsNonRoot|runAsUser=0|seccompProfile)\b/;

type Key = "label" | "label-changes" | "label-undo" | "own-network" | "own-network-changes" | "own-network-undo" | "psp" | keyof typeof retryStrings;

export default defineCheck({
  id: "podsecurity-rejected",
  area: "platform",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: violates PodSecurity "(?<level>[^"]+)"/ },
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: (?:.*: )?unable to validate against any pod security policy/ },
  ],
  sources: ["catalogue 1.3 podsecurity-rejected", "https://kubernetes.io/docs/concepts/security/pod-security-admission/"],
  strings: {
    title: "Pods refused by the Pod Security Standard",
    headline: "*A part of cert-manager can't start,* because the Pod Security Standard of its namespace refuses its pods.",
    "headline-served":
      "*A change to cert-manager doesn't take effect,* because the Pod Security Standard of its namespace refuses the new pods; the old ones still work.",
    why: "A label on the namespace, or a default of the whole cluster, says what pods there may ask for. The chart's own pods fit the strictest level since version 1.10; values such as `webhook.hostNetwork`, other security contexts or extra containers ask for more.",
    refused: {
      text: "No pod of the {component} can start. Namespace {namespace} enforces the level `{level}`, which forbids: {what}.",
      note: "{level} is baseline or restricted; {what} is the API server's list in English",
    },
    served: {
      text: "New pods of the {component} can't start, while the old ones still work. Namespace {namespace} enforces the level `{level}`, which forbids: {what}.",
      note: "{level} is baseline or restricted; {what} is the API server's list in English",
    },
    "refused-psp": "No pod of the {component} can start: no PodSecurityPolicy that its account may use allows it.",
    "served-psp": "New pods of the {component} can't start, while the old ones still work: no PodSecurityPolicy that its account may use allows them.",
    ...refusalStrings,
    label: "Let the namespace run pods like these",
    "label-changes":
      "Every pod in namespace {namespace} may then ask for what the level `{level}` allows, so keep others out of it. Running pods aren't touched.",
    "label-undo": "The same command with `{before}` takes it back.",
    "own-network": "Or bring the webhook back into the pods' own network",
    "own-network-changes":
      "The webhook's pods are replaced by new ones that listen on port 10250 of their own address. Where the control plane can't reach pods, as with some networks on EKS, calls to it then fail.",
    "own-network-undo": "The same step with `hostNetwork` true and the port of before takes it back.",
    psp: "See which PodSecurityPolicies there are, and who may use them",
    ...retryStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "pod-security", (one, refused) => {
      const { level = "", what = "" } = violation.exec(one.message)?.groups ?? {};
      const key = one.served ? "served" : "refused";
      return {
        key: level ? key : (`${key}-psp` as const),
        values: { component: one.component, namespace: one.namespace, level, what },
        fix: level ? fixOf(one, level, what, refused) : [policies],
      };
    });
  },
});

const policies: FixStep<Key> = {
  title: { key: "psp" },
  for: "kubectl",
  command: "kubectl get podsecuritypolicies && kubectl get clusterroles -o json | grep -B 3 -A 8 podsecuritypolicies",
  effect: "none",
};

function fixOf({ namespace, install, deployment, component }: RefusedPods, level: string, what: string, refused: readonly RefusedPods[]): FixStep<Key>[] {
  const all = refused.filter((one) => one.namespace === namespace).map(({ message }) => violation.exec(message)?.groups?.what ?? what);
  const enough = all.every((one) => one.split(/, (?![^(]*\))/).every((part) => onlyRestricted.test(part))) ? "baseline" : "privileged";
  const label = (to: string) => `kubectl label namespace ${namespace} pod-security.kubernetes.io/enforce=${to} --overwrite`;
  const onHost = component === "webhook" && deployment.spec.template.spec.hostNetwork === true;
  const step = {
    title: { key: "own-network" as const },
    changes: { key: "own-network-changes" as const },
    undo: { key: "own-network-undo" as const },
  };
  return [
    {
      title: { key: "label" },
      for: "kubectl",
      command: label(enough),
      effect: "cluster",
      changes: { key: "label-changes", values: { namespace, level: enough } },
      undo: { key: "label-undo", values: { before: level } },
    },
    ...retrySteps(namespace, refused),
    ...(install && onHost
      ? setValues(install, step, { webhook: { hostNetwork: false, securePort: kubeletPort } }).map((one) => ({ ...one, instead: true }))
      : []),
  ];
}
