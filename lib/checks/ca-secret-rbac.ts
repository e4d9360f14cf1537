import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { refusals } from "../derive/refusals.ts";
import { restoreRoles } from "../derive/restore-roles.ts";
import { type RightsGap, rightsGap } from "../derive/rights-gap.ts";
import { restart } from "../kube/commands.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import { isPodReady } from "../kube/readiness.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

export default defineCheck({
  id: "ca-secret-rbac",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["deployments", "componentRoles"],
  uses: ["pods", "logs", "caSecrets"],
  causedBy: ["serviceaccount-missing"],
  patterns: [
    {
      in: "anywhere",
      text: /secrets(?: "(?<secret>[^"]+)")? is forbidden: User "system:serviceaccount:(?<namespace>[^":]+):(?<account>[^":]*webhook[^":]*)" cannot (?:get|list|watch|create|update) resource "secrets"/,
    },
  ],
  sources: ["catalogue 1.7 ca-secret-rbac", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Webhook without the right to its CA Secret",
    headline:
      "*No Certificate or Issuer can be created or changed,* because the webhook isn't allowed to keep its CA in a Secret, and has no certificate without it.",
    "headline-degraded": {
      text: "*The webhook stops working when it restarts or its CA has to be renewed,* because it isn't allowed to read and write the Secret with its CA.",
      note: "Said instead of the headline while the webhook still runs with the CA that it has.",
    },
    why: "The webhook makes its own CA, keeps it in a Secret of its namespace and signs its serving certificate with it. A Role with the name of that Secret lets it read and update it, and a rule without a name lets it create it: a right to create can't be limited to a name. Without them the webhook has no certificate, and its pod doesn't become ready.",
    ignore: "In the first seconds of an install the Role may follow the pod.",
    missing: {
      text: "ServiceAccount {account} of {webhook} isn't allowed to {verb} Secret {secret} in namespace {namespace}{others, plural, =0 {} one {, nor is it allowed one other thing that it needs there} other {, nor is it allowed # other things that it needs there}}.",
      note: "{verb} is get, list, create or update; {webhook} the name of a Deployment",
    },
    sure: "All roles that are bound to the account were read, and none of them gives it that right in the Secret's namespace.",
    "not-crash": "The webhook's process starts, but it waits for its Secret.",
    restore: "Put its Role and RoleBinding back",
    "restore-changes":
      "The manifest of the same version is applied again, with the roles and bindings of all three components. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    create: "Let the chart bring its roles",
    "create-changes": "The ClusterRoles, Roles and bindings of all three components are created. Nothing else changes.",
    "create-undo": "Set `global.rbac.create` back to false, if somebody else gives cert-manager its rights.",
    again: "Make the webhook begin anew with its rights",
    "again-changes": "The pod of the webhook is replaced; with one replica, requests for cert-manager's kinds fail for some seconds.",
    verify: "See whether it is allowed, and whether the Secret is there",
    none: "No webhook here keeps its CA in a Secret.",
  },
  run({ deployments, componentRoles, pods, logs, caSecrets }) {
    const found = installs({ deployments }).flatMap((install) => {
      const secret = caSecretOf(install);
      return secret ? [{ install, secret }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = found.flatMap(({ install, secret }) => {
      const gap = rightsGap(install, "webhook", { componentRoles });
      if (!gap) return [];
      const [first, ...others] = gap.missing;
      const webhook = install.components.webhook?.metadata.name ?? "";
      const isGone = (knownValue(caSecrets) ?? []).some(({ ref, object }) => !object && ref.namespace === secret.namespace && ref.name === secret.name);
      // Where pods can't be seen, the worst is as likely as the rest.
      const runs = componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook").some(isPodReady);
      return [
        {
          key: "missing" as const,
          values: { account: gap.account, webhook, verb: first.verbs[0], secret: secret.name, namespace: secret.namespace, others: others.length },
          severity: runs && !isGone ? ("degraded" as const) : ("blocker" as const),
          subject: { kind: "Deployment", namespace: install.namespace, name: webhook },
          component: "webhook" as const,
          install: install.namespace,
          transient: true,
          evidence: [...refusals(install, "webhook", { pods, logs }), ...gap.evidence],
          fix: fix(install, { webhook, secret, gap }),
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-degraded" } as const }),
      because: [{ key: "sure" }],
      ruledOut: [{ check: "pod-crashloop", key: "not-crash" }],
    };
  },
});

function fix(install: Install, { webhook, secret, gap }: { webhook: string; secret: { namespace: string; name: string }; gap: RightsGap }) {
  const account = `system:serviceaccount:${install.namespace}:${gap.account}`;
  return [
    ...restoreRoles(install, gap),
    {
      title: { key: "again" as const },
      for: "kubectl" as const,
      command: restart(install.namespace, webhook),
      effect: "cluster" as const,
      changes: { key: "again-changes" as const },
    },
    {
      title: { key: "verify" as const },
      for: "kubectl" as const,
      command: `kubectl auth can-i create secrets -n ${secret.namespace} --as=${account}\nkubectl auth can-i update secrets/${secret.name} -n ${secret.namespace} --as=${account}\nkubectl -n ${secret.namespace} get secret ${secret.name}`,
      effect: "none" as const,
    },
  ];
}
