import { registrationRef } from "../derive/called-services.ts";
import { type Approval, allowApproval, approverRole } from "../kube/approve-rights.ts";
import { readDenial } from "../kube/error-text.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue, type WebhookRegistration } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** The webhook compares names where its other half should have filled them in: that is another failure mode. */
const identity = /\b(?:uid|username|groups|extra) identity must be that of the requester/;
const approval =
  /user "(?<user>[^"]+)" does not have permissions to set approved\/denied conditions for issuer \{(?<name>[\w.-]+) (?<kind>\w+) (?<group>[\w.-]+)\}/;

export default defineCheck({
  id: "webhook-denied",
  area: "api-probe",
  severity: "info",
  needs: ["reportedErrors"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    {
      in: "anywhere",
      text: /admission webhook "(?:webhook|(?:validate|mutate)\.webhooks)\.cert-manager\.io" denied the request: (?!.*\b(?:uid|username|groups|extra) identity must be that of the requester)/,
    },
  ],
  sources: [
    "catalogue 1.6 webhook-denied",
    "https://cert-manager.io/docs/usage/certificaterequest/#approval",
    "https://cert-manager.io/docs/reference/api-docs/",
  ],
  strings: {
    title: "Object that cert-manager's webhook refuses",
    headline: "*The webhook works, and refuses an object for what is in it,* so the install isn't what is to be mended.",
    "approval-headline": "*The webhook works, and refuses an approval,* because whoever approves may not do so for that issuer.",
    why: "The webhook checks each object before it is stored. A refusal in its own name proves that the API server reaches it and trusts its certificate; what follows says which field is wrong.",
    invalid: "The webhook {hook} refused an object: {reason}",
    approval: "{user} may not approve or deny CertificateRequests for {kind} {name}.",
    works: "Only the webhook itself can refuse in its own name.",
    explain: "Read what the field may hold",
    allow: "Let that account approve for this issuer",
    "allow-changes":
      "{user} may approve and deny CertificateRequests of every namespace for {kind} {name}. Whoever may approve decides which certificates are issued.",
    "allow-undo": "Delete the ClusterRole and the ClusterRoleBinding `{role}`.",
    none: "None of the reported errors is a refusal by cert-manager's webhook.",
  },
  run({ reportedErrors, webhooks }) {
    const refusals = [...new Set(reportedErrors)].flatMap((text) => {
      const denial = readDenial(text);
      return denial?.ours && !identity.test(text) ? [{ text, hook: denial.hook }] : [];
    });
    if (refusals.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = refusals.map(({ text, hook }) => {
      const subject = registered(hook, knownValue(webhooks) ?? []);
      const about = { severity: "info" as const, subject, evidence: [{ object: subject, path: "answer", value: text }] };
      const { user = "", name = "", kind = "", group = "" } = approval.exec(text.replaceAll(/\\+"/g, '"'))?.groups ?? {};
      const reason = /denied the request: (.*)/.exec(text)?.[1] ?? "";
      const values = { hook, reason, user, kind, name };
      if (user) return { key: "approval" as const, values, ...about, fix: [allow({ user, name, kind, group })] };
      const field = /\bspec(?:\.[A-Za-z]\w*)*/.exec(reason)?.[0];
      return { key: "invalid" as const, values, ...about, fix: field ? [explain(field)] : [] };
    });
    return {
      status: "fail",
      problems,
      ...(problems.every(({ key }) => key === "approval") ? { headline: { key: "approval-headline" as const } } : {}),
      because: [{ key: "works" }],
    };
  },
});

/** The registration that has the webhook; its usual name where registrations couldn't be read. */
function registered(hook: string, webhooks: readonly WebhookRegistration[]): ObjectRef {
  const found = webhooks.find(
    ({ configuration }) => configuration.kind === "ValidatingWebhookConfiguration" && configuration.webhooks?.some(({ name }) => name === hook),
  );
  return found ? registrationRef(found.configuration) : { kind: "ValidatingWebhookConfiguration", name: "cert-manager-webhook" };
}

/** The refusal doesn't name the kind, so the first that has the field is explained. */
function explain(field: string) {
  return {
    title: { key: "explain" as const },
    for: "kubectl" as const,
    command: `for kind in certificates issuers clusterissuers certificaterequests; do kubectl explain "$kind.${field}" 2>/dev/null && break; done`,
    effect: "none" as const,
  };
}

function allow(approval: Approval): FixStep<"allow" | "allow-changes" | "allow-undo"> {
  const { user, kind, name } = approval;
  return {
    title: { key: "allow" },
    for: "kubectl",
    command: allowApproval(approval),
    effect: "cluster",
    changes: { key: "allow-changes", values: { user, kind, name } },
    undo: { key: "allow-undo", values: { role: approverRole(approval) } },
  };
}
