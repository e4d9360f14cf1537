import { probeEvidence } from "../derive/probe-evidence.ts";
import { isProbeExempt } from "../derive/probe-exemption.ts";
import { restoreRegistrations } from "../derive/restore-registrations.ts";
import { crdName, resources } from "../kube/resources.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const kind = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };

export default defineCheck({
  id: "probe-mutation-missing",
  area: "api-probe",
  severity: "degraded",
  needs: ["apiProbe"],
  uses: ["deployments", "webhooks", "namespaces"],
  causedBy: ["webhook-config-missing", "webhook-rule-tampered", "webhook-failurepolicy-ignore"],
  sources: ["catalogue 1.11", "https://cert-manager.io/docs/reference/cmctl/#check"],
  strings: {
    title: "Mutating webhook that isn't called",
    headline: "*CertificateRequests are stored without the name of who made them,* because the mutating webhook isn't called.",
    why: "cert-manager's mutating webhook writes into each CertificateRequest who made it, and whoever approves requests decides by that. The API server accepted one that names nobody, so it didn't ask the webhook, or went on without its answer.",
    nameless: "The API server accepted a well-formed CertificateRequest in namespace {namespace}, and nobody had filled in who made it.",
    asked: "The API server was asked just now, without storing anything.",
    registrations: "See what is registered, and what happens when the webhook can't be called",
    restore: "Put the registrations back as the manifest has them",
    "restore-changes":
      "The manifest of the same version is applied again: what is missing is created, and changes made by hand to cert-manager's own objects are undone. Certificates and Secrets stay as they are.",
    refused: "The request was refused, so it doesn't show whether anybody filled in who made it.",
    exempt: "The namespace in which the API check asks is one that the mutating registration leaves out.",
    nothing: "No component of cert-manager is installed that could be called.",
  },
  run({ apiProbe, deployments, webhooks, namespaces }) {
    const { valid, namespace } = apiProbe;
    if (knownValue(deployments)?.length === 0) return { status: "not-applicable", because: { key: "nothing" } };
    if (!valid.accepted) return { status: "not-applicable", because: { key: "refused" } };
    if (valid.username !== "") return { status: "pass" };
    if (isProbeExempt("MutatingWebhookConfiguration", { apiProbe, webhooks, namespaces })) return { status: "not-applicable", because: { key: "exempt" } };
    return {
      status: "fail",
      problems: [
        {
          key: "nameless",
          values: { namespace },
          severity: "degraded",
          subject: kind,
          evidence: [probeEvidence({ apiProbe }, 'accepted with spec.username: ""')],
          fix: restoreRegistrations("mutatingwebhookconfigurations", { deployments }),
        },
      ],
      because: [{ key: "asked" }],
    };
  },
});
