import { fixOnce } from "../derive/fix-once.ts";
import { identityReaderEvidence } from "../derive/identity-reader-evidence.ts";
import { installs } from "../derive/installs.ts";
import { probeEvidence } from "../derive/probe-evidence.ts";
import { reapply } from "../kube/commands.ts";
import { readDenial } from "../kube/error-text.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

export default defineCheck({
  id: "webhook-config-missing",
  area: "webhook-registration",
  severity: "blocker",
  needs: ["deployments", "webhooks"],
  uses: ["apiProbe", "identityReaders"],
  causedBy: ["gke-autopilot-webhook-denied"],
  patterns: [
    {
      in: "anywhere",
      text: /the cert-manager (?:mutation webhook did not mutate|validating webhook did not validate) the dry-run CertificateRequest object/,
    },
    // The validating webhook compares with what the mutating one would have filled in.
    {
      in: "anywhere",
      text: /admission webhook "[^"]*cert-manager\.io" denied the request: .*\b(?:uid|username|groups|extra) identity must be that of the requester/,
    },
  ],
  sources: ["catalogue 1.6 webhook-config-missing", "catalogue 0.7.8", "catalogue 1.11", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Missing webhook registration",
    headline: "*Requests for cert-manager's kinds go past its webhook,* because a registration is missing.",
    why: "The API server calls cert-manager's webhook only where a registration tells it to. The mutating one records who asked for a certificate, the validating one refuses what can't work and keeps anyone from asking in another's name. With approver-policy or istio-csr this is worse than degraded: they decide by that name.",
    ignore: "An install that runs without its webhook on purpose has no registrations either. Nothing checks its objects then.",
    denies: {
      text: "MutatingWebhookConfiguration {name} is missing while the validating one is there, so every new CertificateRequest is refused.",
      note: "MutatingWebhookConfiguration is a Kubernetes kind and stays as it is",
    },
    unfilled: {
      text: "MutatingWebhookConfiguration {name} is missing, so CertificateRequests are stored without the name of who made them.",
      note: "MutatingWebhookConfiguration is a Kubernetes kind and stays as it is",
    },
    unvalidated: {
      text: "ValidatingWebhookConfiguration {name} is missing, so objects that can't work are stored, and nobody checks in whose name a certificate is asked for.",
      note: "ValidatingWebhookConfiguration is a Kubernetes kind and stays as it is",
    },
    "readers-headline": "*Anyone who may create CertificateRequests can ask in another's name,* because a registration of cert-manager's webhook is missing.",
    readers: "Another product decides by the name of who made a CertificateRequest.",
    sure: "All registrations of the cluster were looked at by their rules, whatever their names.",
    restore: "Put the registrations back",
    "restore-changes":
      "The manifest of the same version is applied again: what is missing is created, and changes made by hand to cert-manager's own objects are undone. Certificates and Secrets stay as they are.",
    "restore-undo": "Delete the registration again; nothing else was added.",
    look: "Watch cainjector fill in their CA bundle",
    none: "No component of cert-manager is installed.",
  },
  run({ deployments, webhooks, apiProbe, identityReaders }) {
    const found = installs({ deployments });
    const install = found.find((one) => one.components.webhook) ?? found[0];
    if (!install) return { status: "not-applicable", because: { key: "none" } };
    const present = new Set(webhooks.map(({ configuration }) => configuration.kind));
    const name = install.components.webhook?.metadata.name ?? "cert-manager-webhook";
    const probe = knownValue(apiProbe);
    const readers = identityReaderEvidence(identityReaders);
    const identityDenied =
      probe && !probe.valid.accepted && readDenial(probe.valid.message)?.ours ? [probeEvidence({ apiProbe: probe }, probe.valid.message)] : [];
    const nameless = probe?.valid.accepted && probe.valid.username === "" ? [probeEvidence({ apiProbe: probe }, 'accepted with spec.username: ""')] : [];
    const malformed = probe?.invalid?.accepted ? [probeEvidence({ apiProbe: probe }, 'accepted although spec.request is "not a certificate request"')] : [];
    const mutating = present.has("ValidatingWebhookConfiguration")
      ? ({ key: "denies", severity: "blocker", answers: identityDenied } as const)
      : ({ key: "unfilled", severity: "degraded", answers: nameless } as const);
    const expected = [
      { kind: "MutatingWebhookConfiguration", ...mutating },
      { kind: "ValidatingWebhookConfiguration", key: "unvalidated", severity: "degraded", answers: malformed },
    ] as const;
    const problems = expected
      .filter(({ kind }) => !present.has(kind))
      .map(({ kind, key, severity, answers }) => ({
        key,
        values: { name },
        severity: readers.length > 0 ? ("blocker" as const) : severity,
        subject: { kind, name },
        install: install.namespace,
        evidence: [{ object: { kind, name }, path: "metadata", value: null }, ...answers, ...readers],
        fix: [
          ...reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const }, undo: { key: "restore-undo" as const } }),
          {
            title: { key: "look" as const },
            for: "kubectl" as const,
            command:
              "kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,CABUNDLE:.webhooks[*].clientConfig.caBundle' | cut -c 1-120",
            effect: "none" as const,
          },
        ],
      }));
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems: fixOnce(problems),
      ...(readers.length > 0 ? { headline: { key: "readers-headline" as const } } : {}),
      because: [{ key: "sure" as const }, ...(readers.length > 0 ? [{ key: "readers" as const }] : [])],
    };
  },
});
