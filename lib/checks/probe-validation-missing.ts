import { probeEvidence } from "../derive/probe-evidence.ts";
import { isProbeExempt } from "../derive/probe-exemption.ts";
import { restoreRegistrations } from "../derive/restore-registrations.ts";
import { crdName, resources } from "../kube/resources.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const kind = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };

export default defineCheck({
  id: "probe-validation-missing",
  area: "api-probe",
  severity: "degraded",
  needs: ["apiProbe"],
  uses: ["deployments", "webhooks", "namespaces"],
  causedBy: ["webhook-config-missing", "webhook-rule-tampered", "webhook-failurepolicy-ignore"],
  sources: ["catalogue 1.11", "https://cert-manager.io/docs/reference/cmctl/#check"],
  strings: {
    title: "Validating webhook that isn't called",
    headline: "*Objects that can't work are stored unchecked,* because the validating webhook isn't called.",
    why: "cert-manager's validating webhook refuses what can't work and keeps anyone from asking in another's name. The API server accepted a CertificateRequest with text instead of a request in it, so it didn't ask the webhook, or went on without its answer. Such objects fail later, where nobody looks.",
    unchecked: "The API server accepted a CertificateRequest in namespace {namespace} that holds no request at all.",
    asked: "The API server was asked just now, without storing anything.",
    registrations: "See what is registered, and what happens when the webhook can't be called",
    restore: "Put the registrations back as the manifest has them",
    "restore-changes":
      "The manifest of the same version is applied again: what is missing is created, and changes made by hand to cert-manager's own objects are undone. Certificates and Secrets stay as they are.",
    refused: "The well-formed request was refused already, so the other one shows nothing.",
    exempt: "The namespace in which the API check asks is one that is exempt from validation.",
    nothing: "No component of cert-manager is installed that could be called.",
  },
  run({ apiProbe, deployments, webhooks, namespaces }) {
    const { invalid, namespace } = apiProbe;
    if (knownValue(deployments)?.length === 0) return { status: "not-applicable", because: { key: "nothing" } };
    if (!invalid) return { status: "not-applicable", because: { key: "refused" } };
    if (!invalid.accepted) return { status: "pass" };
    if (isProbeExempt("ValidatingWebhookConfiguration", { apiProbe, webhooks, namespaces })) return { status: "not-applicable", because: { key: "exempt" } };
    return {
      status: "fail",
      problems: [
        {
          key: "unchecked",
          values: { namespace },
          severity: "degraded",
          subject: kind,
          evidence: [probeEvidence({ apiProbe }, 'accepted although spec.request is "not a certificate request"')],
          fix: restoreRegistrations("validatingwebhookconfigurations", { deployments }),
        },
      ],
      because: [{ key: "asked" }],
    };
  },
});
