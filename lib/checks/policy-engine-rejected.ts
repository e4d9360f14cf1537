import { type RefusedPods, refusalOutcome, refusalStrings, retrySteps, retryStrings } from "../derive/refused-pods.ts";
import { setValues } from "../kube/chart-values.ts";
import { modestValues, setModest } from "../kube/component-resources.ts";
import { readDenial, readWebhookCall } from "../kube/error-text.ts";
import { imagePolicyWords } from "../kube/refusal.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

const aboutImages = imagePolicyWords.source;
const admissionPolicy = /ValidatingAdmissionPolicy '(?<name>[^']+)' with binding '(?<binding>[^']+)' denied request/;
/** What the chart leaves open, and policies often want. */
const amounts = /\b(?:resource )?(?:limits?|requests?)\b.*\b(?:cpu|memory|resources?)\b|\b(?:cpu|memory|resources?)\b.*\b(?:limits?|requests?)\b/is;

type Key = "ask" | "ask-changes" | "undo" | "policy" | "registrations" | "behind" | "describe" | keyof typeof retryStrings;

export default defineCheck({
  id: "policy-engine-rejected",
  area: "platform",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    { in: "refusal", text: new RegExp(`(?!${aboutImages})admission webhook "(?<hook>[^"]+)" denied the request(?![\\s\\S]*(?:${aboutImages}))`, "i") },
    { in: "anywhere", text: /(?:pods|deployments\.apps) "[^"]*cert-manager[^"]*" is forbidden: ValidatingAdmissionPolicy '(?<policy>[^']+)'/ },
  ],
  sources: [
    "catalogue 1.3 policy-engine-rejected",
    "https://cert-manager.io/docs/installation/best-practice/",
    "https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/",
  ],
  strings: {
    title: "Pods refused by a policy of the cluster",
    headline: "*A part of cert-manager can't start,* because a rule of this cluster refuses its pods.",
    "headline-served": "*A change to cert-manager doesn't take effect,* because a rule of this cluster refuses the new pods; the old ones still work.",
    why: "Clusters have rules of their own about what a pod must say and may ask for. They are kept by policy engines such as Kyverno and Gatekeeper, by admission policies, or by any other admission webhook. cert-manager can't do anything about them; its values can fit them, or the rule can make an exception.",
    refused: {
      text: "No pod of the {component} can start: {by} refuses them, saying: {what}",
      note: "{by} names a webhook or policy; {what} is its own text in English",
    },
    served: {
      text: "New pods of the {component} can't start, while the old ones still work: {by} refuses them, saying: {what}",
      note: "{by} names a webhook or policy; {what} is its own text in English",
    },
    "refused-unanswered": "No pod of the {component} can start: the API server asks the webhook {by} about each of them, and gets no answer from it.",
    "served-unanswered":
      "New pods of the {component} can't start, while the old ones still work: the API server asks the webhook {by} about each of them, and gets no answer from it.",
    "refused-other": {
      text: "No pod of the {component} can start. The API server refuses them, saying: {what}",
      note: "{what} is its own text in English",
    },
    "served-other": {
      text: "New pods of the {component} can't start, while the old ones still work. The API server refuses them, saying: {what}",
      note: "{what} is its own text in English",
    },
    ask: "Say how much cert-manager needs",
    "ask-changes":
      "Each component, and the Job that checks the API after an install, asks for 10m of cpu and 64Mi of memory, and may use 500m and 512Mi. All pods are made anew. cainjector may need more memory in a cluster with thousands of Secrets.",
    undo: "Set the values that were there before.",
    policy: "Read the policy, and who made it",
    registrations: "Find out whose webhook it is",
    behind: "See whether that webhook runs",
    describe: "Read the refusals in full",
    ...retryStrings,
    ...refusalStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "policy", (one, refused) => {
      const { component, message } = one;
      const state = one.served ? "served" : "refused";
      const call = readWebhookCall(message);
      if (call) {
        const fix = [...behind(call), registrations(call.hook), ...retrySteps(one.namespace, refused)];
        // Where everything is being installed at once, the other webhook may come a moment later.
        return { key: `${state}-unanswered` as const, values: { component, by: call.hook, what: call.reason }, transient: true, fix };
      }
      const what = wordsOf(message);
      const denial = readDenial(message);
      const policy = admissionPolicy.exec(message)?.groups?.name;
      const by = denial?.hook ?? policy;
      return {
        key: by ? state : (`${state}-other` as const),
        values: { component, by: by ?? "", what },
        fix: [...(amounts.test(what) ? ask(one) : []), ...(by ? [policy ? admission(policy) : registrations(by)] : []), describe(one)],
      };
    });
  },
});

/** What follows the name of whoever refused, on one line. */
function wordsOf(message: string): string {
  return message
    .replace(/^.*?(?:denied (?:the )?request: |is forbidden: )/s, "")
    .replace(/\s+/g, " ")
    .trim();
}

function ask({ install }: RefusedPods): readonly FixStep<Key>[] {
  if (!install) return [];
  const step = { title: { key: "ask" as const }, changes: { key: "ask-changes" as const }, undo: { key: "undo" as const } };
  return setValues(install, step, modestValues(install), setModest(install));
}

function look(title: Key, command: string): FixStep<Key> {
  return { title: { key: title }, for: "kubectl", command, effect: "none" };
}

function admission(policy: string): FixStep<Key> {
  return look("policy", `kubectl get validatingadmissionpolicy ${policy} -o yaml && kubectl get validatingadmissionpolicybindings | grep -F ${policy}`);
}

function registrations(hook: string): FixStep<Key> {
  const list =
    "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name,SERVICE:.webhooks[*].clientConfig.service.name'";
  return look("registrations", `${list} | grep -F '${hook.replaceAll("'", "")}'`);
}

function behind({ namespace, service }: { readonly namespace?: string; readonly service?: string }): readonly FixStep<Key>[] {
  return namespace && service
    ? [look("behind", `kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${service} && kubectl -n ${namespace} get pods`)]
    : [];
}

function describe({ namespace }: RefusedPods): FixStep<Key> {
  return look("describe", `kubectl -n ${namespace} get events --field-selector reason=FailedCreate`);
}
