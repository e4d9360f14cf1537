import { registrationRef } from "../derive/called-services.ts";
import { probeEvidence } from "../derive/probe-evidence.ts";
import { readDenial } from "../kube/error-text.ts";
import { crdName, resources } from "../kube/resources.ts";
import { isOurs } from "../kube/webhook.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

const kind = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };
const identity = /\b(?:uid|username|groups|extra) identity must be that of the requester/;
/** So many suspects are shown; a cluster may have dozens of registrations for everything. */
const shown = 5;

export default defineCheck({
  id: "probe-mutation-incorrect",
  area: "api-probe",
  severity: "blocker",
  needs: ["apiProbe"],
  uses: ["admission"],
  causedBy: ["webhook-config-missing", "webhook-rule-tampered", "webhook-failurepolicy-ignore"],
  patterns: [{ in: "anywhere", text: /the cert-manager validating webhook failed because the dry-run CertificateRequest object was mutated incorrectly/ }],
  sources: ["catalogue 1.11", "https://cert-manager.io/docs/reference/cmctl/#check"],
  strings: {
    title: "Requester's name lost on the way",
    headline: "*Every CertificateRequest is refused,* because the name of who made it is missing or another when the validating webhook looks.",
    why: "The mutating webhook writes into each CertificateRequest who made it, the validating one compares that with who it was. They differ where the mutating webhook isn't called, or where another product's webhook changes the object after it.",
    mutators: {
      text: "cert-manager's own webhook {hook} refused a CertificateRequest, because something changed who made it. {count, plural, one {Another product's webhook may} other {# registrations of other products may}} change CertificateRequests here.",
      note: "count is a number of registrations",
    },
    unexplained:
      "cert-manager's own webhook {hook} refused a CertificateRequest for who made it, although no other product's webhook changes CertificateRequests here.",
    works: "The webhook answered, so it can be reached and its certificate is trusted.",
    order: "See which webhooks change CertificateRequests, in the order in which they are called",
    missing: "The mutating registration is missing, which says it all.",
  },
  run({ apiProbe, admission }) {
    const { valid } = apiProbe;
    const denial = valid.accepted ? null : readDenial(valid.message);
    if (valid.accepted || !denial?.ours || !identity.test(valid.message)) return { status: "pass" };
    const mutating = knownValue(admission)?.filter((one) => one.kind === "MutatingWebhookConfiguration");
    if (mutating && !mutating.some(isOurs)) return { status: "not-applicable", because: { key: "missing" } };
    const others = (mutating ?? []).filter((one) => !isOurs(one) && changesRequests(one));
    return {
      status: "fail",
      problems: [
        {
          key: others.length > 0 ? ("mutators" as const) : ("unexplained" as const),
          values: { hook: denial.hook, count: others.length },
          severity: "blocker",
          subject: kind,
          evidence: [
            probeEvidence({ apiProbe }, valid.message),
            ...others
              .slice(0, shown)
              .map((one) => ({ object: registrationRef(one), path: "webhooks[0].rules", value: JSON.stringify(one.webhooks?.[0]?.rules ?? []) })),
          ],
          fix: [
            {
              title: { key: "order" },
              for: "kubectl",
              command:
                "kubectl get mutatingwebhookconfigurations -o custom-columns='NAME:.metadata.name,WEBHOOKS:.webhooks[*].name,GROUPS:.webhooks[*].rules[*].apiGroups,RESOURCES:.webhooks[*].rules[*].resources' --sort-by=.metadata.name",
              effect: "none",
            },
          ],
        },
      ],
      because: [{ key: "works" }],
    };
  },
});

function changesRequests({ webhooks = [] }: WebhookConfiguration): boolean {
  const has = (list: readonly string[] | undefined, ...values: readonly string[]) => list?.some((one) => values.includes(one)) ?? false;
  return webhooks.some((webhook) =>
    webhook.rules?.some(
      ({ apiGroups, operations, resources: plural }) =>
        has(apiGroups, "cert-manager.io", "*") && has(operations, "CREATE", "*") && has(plural, "certificaterequests", "*", "*/*", "certificaterequests/*"),
    ),
  );
}
