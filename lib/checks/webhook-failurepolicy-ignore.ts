import { installServed, registrationRef } from "../derive/called-services.ts";
import { identityReaderEvidence } from "../derive/identity-reader-evidence.ts";
import { installs } from "../derive/installs.ts";
import { reapply } from "../kube/commands.ts";
import { isAppliedByGitOps } from "../kube/gitops.ts";
import { patchRegistration } from "../kube/patch-registration.ts";
import { defineCheck } from "../model/check.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

export default defineCheck({
  id: "webhook-failurepolicy-ignore",
  area: "webhook-registration",
  severity: "blocker",
  needs: ["webhooks", "deployments"],
  uses: ["identityReaders"],
  causedBy: [],
  sources: ["catalogue 1.6 webhook-failurepolicy-ignore", "catalogue 0.7.8", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Webhook failures that are ignored",
    headline: "*Objects are stored unchecked whenever the webhook can't be called,* because a registration says to ignore failures.",
    "readers-headline":
      "*Anyone who may create CertificateRequests can ask in another's name while the webhook can't be called,* because a registration says to ignore failures.",
    why: "With the failure policy Ignore the API server goes on without the webhook's answer when it gets none. That is often set to get past an error, and hides it from then on: objects that can't work are stored, and CertificateRequests don't say who made them.",
    mutating: {
      text: "{kind} {name} has the failure policy Ignore: CertificateRequests can be stored without the name of who made them, or are then refused by the other registration.",
      note: "MutatingWebhookConfiguration and Ignore are Kubernetes' words and stay as they are",
    },
    validating: {
      text: "{kind} {name} has the failure policy Ignore: objects can be stored that nobody has checked.",
      note: "ValidatingWebhookConfiguration and Ignore are Kubernetes' words and stay as they are",
    },
    readers: "Another product decides by the name of who made a CertificateRequest.",
    shipped: "cert-manager's own manifests have the policy Fail in both registrations, in every release.",
    ask: "See whether the webhook can be called",
    relief: "Let failures count again",
    "relief-changes":
      "Requests for cert-manager's kinds are refused from then on while the webhook can't be called. Mend the webhook first if it doesn't answer.",
    "relief-undo": "Patch the policy Ignore back in.",
    restore: "Put the registration back as it came",
    "restore-changes":
      "The manifest of the same version is applied again, with the policy Fail. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    none: "No registration belongs to an install of cert-manager.",
  },
  run({ webhooks, deployments, identityReaders }) {
    const found = installs({ deployments });
    const owned = webhooks.flatMap(({ configuration }) => {
      const install = installServed(configuration, { webhooks, installs: found });
      return install ? [{ configuration, install }] : [];
    });
    if (owned.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const readers = identityReaderEvidence(identityReaders);
    const problems = owned.flatMap(({ configuration, install }) =>
      (configuration.webhooks ?? []).flatMap(({ failurePolicy }, index) => {
        if (failurePolicy !== "Ignore") return [];
        const { kind, metadata } = configuration;
        const relief = {
          title: { key: "relief" as const },
          for: "kubectl" as const,
          command: patchRegistration(configuration, index, [{ op: "replace", field: "failurePolicy", value: "Fail" }]),
          effect: "cluster" as const,
          changes: { key: "relief-changes" as const },
          undo: { key: "relief-undo" as const },
        };
        return [
          {
            key: kind === "MutatingWebhookConfiguration" ? ("mutating" as const) : ("validating" as const),
            values: { kind, name: metadata.name },
            severity: readers.length > 0 ? ("blocker" as const) : ("warning" as const),
            subject: registrationRef(configuration),
            install: install.namespace,
            evidence: [{ object: registrationRef(configuration), path: `webhooks[${index}].failurePolicy`, value: failurePolicy }, ...readers],
            fix: [
              { title: { key: "ask" as const }, for: "kubectl" as const, command: askWebhook(install.namespace), effect: "none" as const },
              ...(isAppliedByGitOps(configuration) || install.method === "olm" ? [] : [relief]),
              ...(owned.find((one) => one.install === install && ignores(one.configuration))?.configuration === configuration
                ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } })
                : []),
            ],
          },
        ];
      }),
    );
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      ...(readers.length > 0 ? { headline: { key: "readers-headline" as const } } : {}),
      because: [{ key: "shipped" as const }, ...(readers.length > 0 ? [{ key: "readers" as const }] : [])],
    };
  },
});

function ignores({ webhooks }: WebhookConfiguration): boolean {
  return webhooks?.some(({ failurePolicy }) => failurePolicy === "Ignore") ?? false;
}

/** An Issuer that the webhook must refuse: where it is accepted, nobody asked. */
function askWebhook(namespace: string): string {
  return [
    `kubectl -n ${namespace} create --dry-run=server -f - <<'END'`,
    "apiVersion: cert-manager.io/v1",
    "kind: Issuer",
    "metadata:",
    "  name: certmedic-probe",
    "spec: {}",
    "END",
  ].join("\n");
}
