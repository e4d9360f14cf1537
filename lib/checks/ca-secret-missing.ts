import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { reapply, restart } from "../kube/commands.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import { isReady } from "../kube/readiness.ts";
import type { Evidence } from "../model/check.ts";
import { defineCheck } from "../model/check.ts";
import { type ContainerLog, knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";
import { startFailures } from "./start-failures.ts";

// The webhook may lack the right, or have it and fail otherwise; what it logs about the Secret tells (catalogue, ca-secret-rbac).
const complaint = /error ensuring CA|secrets(?: \\?"[^"]*")? is forbidden/;
const forbidden = /secrets(?: \\?"[^"]*")? is forbidden/;

export default defineCheck({
  id: "ca-secret-missing",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["caSecrets", "deployments"],
  uses: ["pods", "logs"],
  causedBy: [...startFailures, "ca-secret-rbac"],
  patterns: [
    { in: "anywhere", text: /unable to fetch associated secret.*Secret \\?"(?<secret>[^"\\]*webhook-ca)\\?" not found/ },
    { in: "anywhere", text: /error ensuring CA\b(?!.*is forbidden)/ },
  ],
  sources: ["catalogue 1.7 ca-secret-missing", "catalogue 1.7 ca-secret-rbac", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Webhook without its CA Secret",
    headline: "*No Certificate or Issuer can be created or changed,* because the Secret with the CA of cert-manager's webhook doesn't exist.",
    why: "The webhook makes its own CA, keeps it in a Secret and signs its serving certificate with it; cainjector copies it from there into the webhook registrations. Without the Secret there is nothing to sign with and nothing to copy, so the API server can't call the webhook.",
    ignore: "For some seconds after the webhook's first start this is normal.",
    absent: "Secret {secret} in namespace {namespace}, in which {webhook} keeps its CA, doesn't exist although the webhook runs.",
    stopped: "Secret {secret} in namespace {namespace}, in which {webhook} keeps its CA, doesn't exist, and no pod of the webhook is ready that could make it.",
    denied: "Secret {secret} in namespace {namespace} doesn't exist, and {webhook} isn't allowed to make it.",
    sure: "The API server was asked for the Secret by the name in the webhook's own arguments and answered that it doesn't exist.",
    "not-expired": "There is no CA that could have expired.",
    right: "See whether the webhook may create Secrets",
    restart: "Make the webhook create its CA anew",
    "restart-changes":
      "The webhook starts again and creates the Secret with a new CA; cainjector then copies that into both registrations. No certificate that cert-manager has issued is touched.",
    restore: "Give the webhook its right back",
    "restore-changes":
      "The manifest of the same version is applied again, with the Role and RoleBinding that let the webhook write its CA Secret. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    look: "See why the webhook doesn't run",
    watch: "See whether the Secret is there",
  },
  run({ caSecrets, deployments, pods, logs }) {
    const found = installs({ deployments });
    const problems = caSecrets.flatMap(({ ref, object }) => {
      const install = found.find((one) => {
        const secret = caSecretOf(one);
        return secret?.namespace === ref.namespace && secret?.name === ref.name;
      });
      const webhook = install?.components.webhook;
      if (object || !install || !webhook) return [];
      const lines = complaints(knownValue(logs) ?? [], componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook"));
      const denied = lines.some((line) => forbidden.test(line.value ?? ""));
      return [
        {
          key: denied ? ("denied" as const) : isReady(webhook) ? ("absent" as const) : ("stopped" as const),
          values: { secret: ref.name, namespace: ref.namespace ?? "", webhook: webhook.metadata.name },
          severity: "blocker" as const,
          subject: ref,
          component: "webhook" as const,
          install: install.namespace,
          transient: true,
          evidence: [{ object: ref, path: "metadata", value: null }, ...lines],
          fix: fix(install, ref, denied, isReady(webhook)),
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, because: [{ key: "sure" }], ruledOut: [{ check: "webhook-ca-expired", key: "not-expired" }] };
  },
});

/** The newest complaint of each pod about its CA Secret. */
function complaints(logs: readonly ContainerLog[], pods: readonly Pod[]): readonly Evidence[] {
  return logs.flatMap(({ namespace, pod, container, lines }) => {
    if (!pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) return [];
    const line = lines.findLast((one) => complaint.test(one));
    return line ? [{ object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: line }] : [];
  });
}

function fix(install: Install, secret: { readonly namespace?: string; readonly name: string }, denied: boolean, ready: boolean) {
  const webhook = install.components.webhook;
  const name = webhook?.metadata.name ?? "";
  const account = webhook?.spec.template.spec.serviceAccountName ?? "default";
  const kubectl = { for: "kubectl" as const, effect: "none" as const };
  const watch = { ...kubectl, title: { key: "watch" as const }, command: `kubectl -n ${secret.namespace} get secret ${secret.name}` };
  const right = {
    ...kubectl,
    title: { key: "right" as const },
    command: `kubectl auth can-i create secrets -n ${secret.namespace} --as=system:serviceaccount:${install.namespace}:${account}`,
  };
  if (denied) return [right, ...reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }), watch];
  if (!ready) {
    return [{ ...kubectl, title: { key: "look" as const }, command: `kubectl -n ${install.namespace} describe deployment ${name}` }, watch];
  }
  const again = {
    title: { key: "restart" as const },
    for: "kubectl" as const,
    command: restart(install.namespace, name),
    effect: "cluster" as const,
    changes: { key: "restart-changes" as const },
  };
  return [right, again, watch];
}
