import { installs } from "../derive/installs.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { refusals } from "../derive/refusals.ts";
import { restoreRoles } from "../derive/restore-roles.ts";
import { type RightsGap, resourceText, rightsGap } from "../derive/rights-gap.ts";
import { restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { defineCheck } from "../model/check.ts";

export default defineCheck({
  id: "cainjector-rbac",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments", "componentRoles"],
  uses: ["pods", "logs", "webhooks", "caSecrets"],
  causedBy: ["serviceaccount-missing"],
  patterns: [
    {
      in: "anywhere",
      text: /User "system:serviceaccount:(?<namespace>[^":]+):(?<account>[^":]*cainjector[^":]*)" cannot \w+ resource "(?!leases")(?<resource>[^"]+)"/,
    },
    { in: "anywhere", text: /cainjector was forbidden to retrieve the ca data source/ },
  ],
  sources: ["catalogue 1.9 cainjector-rbac", "https://cert-manager.io/docs/concepts/ca-injector/"],
  strings: {
    title: "cainjector without the rights that it needs",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server refuses cainjector what it needs to fill in the webhook's CA.",
    "headline-degraded": {
      text: "*The webhook's CA isn't brought to the API server,* because the API server refuses cainjector what it needs.",
      note: "Said instead of the headline while the CA bundles that are there still hold.",
    },
    why: "cainjector reads the CA from a Secret and writes it into webhook registrations as its ServiceAccount. Without one of its rights to read it doesn't start to work at all, and its pod shows nothing of that at first, because it has no readiness probe.",
    ignore: "In the first seconds of an install the Roles may follow the pods.",
    missing: {
      text: "ServiceAccount {account} of {name} isn't allowed to {verb} `{resource}`{others, plural, =0 {} one {, nor is it allowed one other thing that it needs} other {, nor is it allowed # other things that it needs}}.",
      note: "{verb} is a verb of the Kubernetes API such as list or update, {name} the name of a Deployment",
    },
    sure: "All roles that are bound to the account were read, and none of them gives it that right.",
    "not-lease": "Its lease is a matter of other Roles, in the namespace of the lease.",
    restore: "Put its roles and their bindings back",
    "restore-changes":
      "The manifest of the same version is applied again, with the roles and bindings of all three components. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    create: "Let the chart bring its roles",
    "create-changes": "The ClusterRoles, Roles and bindings of all three components are created. Nothing else changes.",
    "create-undo": "Set `global.rbac.create` back to false, if somebody else gives cert-manager its rights.",
    again: "Make cainjector begin anew with its rights",
    "again-changes": "The pod of cainjector is replaced and fills in what is missing at once. Nothing else changes.",
    verify: "See whether the CA bundles are filled in",
    none: "No cainjector is here.",
  },
  run({ deployments, componentRoles, pods, logs, webhooks, caSecrets }) {
    const found = installs({ deployments }).filter(({ components }) => components.cainjector);
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = found.flatMap((install) => {
      const gap = rightsGap(install, "cainjector", { componentRoles });
      if (!gap) return [];
      const [first, ...others] = gap.missing;
      const name = install.components.cainjector?.metadata.name ?? "";
      return [
        {
          key: "missing" as const,
          values: { account: gap.account, name, verb: first.verbs[0], resource: resourceText(first), others: others.length },
          severity: first.scope === "all" ? severityWithoutCainjector(install, { deployments, webhooks, caSecrets }) : ("degraded" as const),
          subject: { kind: "Deployment", namespace: install.namespace, name },
          component: "cainjector" as const,
          install: install.namespace,
          transient: true,
          evidence: [...refusals(install, "cainjector", { pods, logs }), ...gap.evidence],
          fix: fix(install, name, gap),
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-degraded" } as const }),
      because: [{ key: "sure" }],
      ruledOut: [{ check: "cainjector-leader-election-forbidden", key: "not-lease" }],
    };
  },
});

function fix(install: Install, name: string, gap: RightsGap) {
  return [
    ...restoreRoles(install, gap),
    {
      title: { key: "again" as const },
      for: "kubectl" as const,
      command: restart(install.namespace, name),
      effect: "cluster" as const,
      changes: { key: "again-changes" as const },
    },
    {
      title: { key: "verify" as const },
      for: "kubectl" as const,
      command:
        "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='NAME:.metadata.name,CA:.webhooks[*].clientConfig.caBundle' | cut -c1-80",
      effect: "none" as const,
    },
  ];
}
