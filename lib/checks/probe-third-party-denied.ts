import { registrationRef } from "../derive/called-services.ts";
import { probeEvidence } from "../derive/probe-evidence.ts";
import { type Stranger, strangerIn } from "../derive/probe-stranger.ts";
import { crdName, resources } from "../kube/resources.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";

const kind = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };

export default defineCheck({
  id: "probe-third-party-denied",
  area: "api-probe",
  severity: "blocker",
  needs: ["apiProbe"],
  uses: ["admission"],
  causedBy: [],
  sources: ["catalogue 1.11", "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/"],
  strings: {
    title: "Another product's rule against CertificateRequests",
    headline: "*A CertificateRequest isn't accepted here,* and it isn't cert-manager that refuses it.",
    "unreachable-headline":
      "*No certificate can be issued or renewed,* because another product's webhook, which looks at CertificateRequests too, can't be called.",
    why: "Every webhook whose rules fit is called for a CertificateRequest, and so is every admission policy of the cluster. Each of them can refuse it, and one that can't be called refuses everything. cert-manager's controller makes the same kind of request for each certificate.",
    ignore: "Where a policy forbids just this request, such as one for an issuer that it doesn't know, cert-manager's own requests may pass.",
    denied: "{hook}, which isn't cert-manager's, refused a well-formed CertificateRequest in namespace {namespace}.",
    policy: "The cluster's admission policy {hook} refused a well-formed CertificateRequest in namespace {namespace}.",
    unreachable: "{hook}, which isn't cert-manager's, can't be called, and the API server refuses CertificateRequests for that.",
    "not-ours": "The API server names the webhook or policy itself.",
    registration: "Read what it is registered for",
    rule: "Read what the policy says",
    pods: "See whether it runs, and what it says",
    owner: "Find out whose webhook this is",
  },
  run({ apiProbe, admission }) {
    const stranger = strangerIn(apiProbe);
    if (!stranger) return { status: "pass" };
    const { how, name, message } = stranger;
    const registration = knownValue(admission)?.find((one) => one.webhooks?.some((webhook) => webhook.name === name));
    const object: ObjectRef = registration ? registrationRef(registration) : how === "policy" ? { kind: "ValidatingAdmissionPolicy", name } : kind;
    return {
      status: "fail",
      problems: [
        {
          key: how,
          values: { hook: name, namespace: apiProbe.namespace },
          severity: how === "unreachable" ? "blocker" : "warning",
          subject: object,
          evidence: [
            probeEvidence({ apiProbe }, message),
            ...(registration ? [{ object, path: `webhooks[${registration.webhooks?.findIndex((webhook) => webhook.name === name)}].name`, value: name }] : []),
          ],
          fix: looks(stranger, registration),
        },
      ],
      ...(how === "unreachable" ? { headline: { key: "unreachable-headline" as const } } : {}),
      because: [{ key: "not-ours" }],
    };
  },
});

/** Where to look: what is to be changed is for the other product's documentation to say. */
function looks({ how, name, call }: Stranger, registration: WebhookConfiguration | undefined) {
  const look = <K extends string>(key: K, command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
  if (how === "policy") return [look("rule", `kubectl get validatingadmissionpolicy ${name} -o yaml`)];
  const service =
    registration?.webhooks?.find((webhook) => webhook.name === name)?.clientConfig.service ??
    (call?.service ? { namespace: call.namespace, name: call.service } : undefined);
  return [
    registration
      ? look("registration", `kubectl get ${registration.kind.toLowerCase()} ${registration.metadata.name} -o yaml`)
      : look(
          "owner",
          `kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name' | grep -F '${name.replaceAll("'", "")}'`,
        ),
    ...(service?.namespace
      ? [look("pods", `kubectl -n ${service.namespace} get pods,endpointslices && kubectl -n ${service.namespace} get events --field-selector type=Warning`)]
      : []),
  ];
}
