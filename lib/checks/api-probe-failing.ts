import { probeEvidence } from "../derive/probe-evidence.ts";
import { strangerIn } from "../derive/probe-stranger.ts";
import { probeCall, targetOf } from "../derive/webhook-call.ts";
import { readDenial } from "../kube/error-text.ts";
import { crdName, resources } from "../kube/resources.ts";
import { isNormalAtStart } from "../kube/webhook-failure.ts";
import { defineCheck } from "../model/check.ts";
import { type ApiProbe, knownValue, type ProbeAnswer } from "../model/facts.ts";

const kind = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };

export default defineCheck({
  id: "api-probe-failing",
  area: "api-probe",
  severity: "blocker",
  needs: ["apiProbe"],
  uses: ["deployments"],
  causedBy: [
    "ca-bundle-empty",
    "ca-bundle-mismatch",
    "ca-bundle-malformed",
    "webhook-ca-expired",
    "webhook-serving-cert-expired",
    "serving-cert-wrong-san",
    "webhook-tls-files-problem",
    "webhook-service-missing",
    "webhook-config-orphaned",
    "webhook-service-port-mismatch",
    "webhook-no-endpoints",
    "webhook-connection-refused",
    "webhook-io-timeout",
    "webhook-no-route",
    "webhook-dns-failure",
    "webhook-context-deadline",
    "webhook-tls-handshake-timeout",
    "webhook-request-canceled",
    "webhook-connection-reset",
    "webhook-serving-insecurely",
    "webhook-payload-errors",
    "serving-cert-is-kubelet",
    "serving-cert-from-mesh",
    "apiserver-egress-proxy",
    "konnectivity-broken",
    "crds-missing",
    "webhook-config-missing",
    "webhook-config-wrong-target",
    "webhook-config-garbled-name",
    "webhook-duplicate-configs",
    "webhook-failurepolicy-ignore",
    "webhook-rule-tampered",
    "probe-mutation-missing",
    "probe-mutation-incorrect",
    "probe-validation-missing",
    "probe-third-party-denied",
    "probe-flaky",
    "crd-conversion-webhook-leftover",
    "legacy-apiservice-unavailable",
    "eks-custom-cni",
    "clock-skew",
    "etcd-quota",
  ],
  sources: ["catalogue 0.7 api-probe-failing", "catalogue 1.11", "https://cert-manager.io/docs/reference/cmctl/#check"],
  strings: {
    title: "API server refusing cert-manager's objects",
    headline: "*Creating a CertificateRequest doesn't work as it should:* the API server, asked to try one without storing it, says so itself.",
    why: "This is the same request that cert-manager's controller makes for each new certificate and each renewal. What fails here fails there. Certificates that were issued keep working until they expire.",
    ignore: "In the first minutes of an install the webhook isn't ready to be called yet.",
    refused: "The API server refused a well-formed CertificateRequest, because its call to cert-manager's webhook {target} failed.",
    denied: "cert-manager's own webhook {hook} refused a well-formed CertificateRequest.",
    unmutated: "The API server accepted a CertificateRequest without recording who made it: the mutating webhook wasn't called.",
    unvalidated: "The API server accepted a CertificateRequest that can't be signed: the validating webhook wasn't called.",
    "kind-missing": "The API server doesn't know the kind CertificateRequest.",
    "third-party": "{hook}, which isn't cert-manager's, keeps the API server from accepting a well-formed CertificateRequest.",
    other: "The API server refused a well-formed CertificateRequest for a reason that names no webhook.",
    again: "Ask again: an answer about a PEM block means that the webhook works",
    logs: "Read what the webhook says",
    registrations: "See which registrations there are",
    kinds: "See which of cert-manager's kinds the API server knows",
    owner: "Find out whose rule this is",
    namespace: "The namespace in which the API check asks doesn't exist, or is being deleted.",
    nothing: "No component of cert-manager is installed that could answer.",
  },
  run({ apiProbe, deployments }) {
    const { valid, invalid } = apiProbe;
    const refusals = [valid, invalid].flatMap((answer) => (answer && !answer.accepted ? [answer] : []));
    if (refusals.some(({ message }) => /namespaces "[^"]+" not found|because it is being terminated/.test(message))) {
      return { status: "not-applicable", because: { key: "namespace" } };
    }
    const found = problemOf(apiProbe) ?? problemsOfAcceptance(apiProbe);
    if (found.length === 0) return { status: "pass" };
    const installed = knownValue(deployments);
    const unexpected = found.some(({ key }) => key !== "kind-missing" && key !== "unmutated" && key !== "unvalidated");
    if (installed?.length === 0 && !unexpected) return { status: "not-applicable", because: { key: "nothing" } };
    return { status: "fail", problems: found };
  },
});

type Refusal = Extract<ProbeAnswer, { accepted: false }>;

/** What a refusal says; undefined where everything was accepted that should be, and refused by whom it should be. */
function problemOf(apiProbe: ApiProbe) {
  const made = probeCall(apiProbe);
  if (made.outcome === "failed") {
    const { call, subject, evidence } = made;
    return [
      {
        key: "refused" as const,
        values: { target: targetOf(call) },
        severity: "blocker" as const,
        subject,
        install: call.namespace,
        transient: isNormalAtStart(call.reason),
        evidence: [evidence],
        fix: [again(apiProbe), ...(call.namespace ? [logs(call.namespace)] : [])],
      },
    ];
  }
  const { valid, invalid } = apiProbe;
  const refusal = [valid, invalid].find((answer): answer is Refusal => answer?.accepted === false && (answer === valid || !readDenial(answer.message)?.ours));
  if (!refusal) return undefined;
  const { message, code } = refusal;
  const about = { subject: kind, evidence: [probeEvidence({ apiProbe }, message)] };
  const denial = readDenial(message);
  if (denial?.ours) return [{ key: "denied" as const, values: { hook: denial.hook }, severity: "blocker" as const, ...about, fix: [registrations] }];
  const stranger = strangerIn(apiProbe);
  if (stranger) return [{ key: "third-party" as const, values: { hook: stranger.name }, severity: "warning" as const, ...about, fix: [owner(stranger.name)] }];
  if (code === 404) return [{ key: "kind-missing" as const, severity: "blocker" as const, ...about, fix: [kinds] }];
  return [{ key: "other" as const, severity: "warning" as const, ...about, fix: [again(apiProbe)] }];
}

/** What is wrong with what was accepted. */
function problemsOfAcceptance(apiProbe: ApiProbe) {
  const { valid, invalid } = apiProbe;
  const unmutated = valid.accepted && valid.username === "";
  const degraded = { severity: "degraded" as const, subject: kind, fix: [registrations] };
  return [
    ...(unmutated ? [{ key: "unmutated" as const, ...degraded, evidence: [probeEvidence({ apiProbe }, 'accepted with spec.username: ""')] }] : []),
    ...(invalid?.accepted
      ? [{ key: "unvalidated" as const, ...degraded, evidence: [probeEvidence({ apiProbe }, 'accepted although spec.request is "not a certificate request"')] }]
      : []),
  ];
}

/** Not a request at all: the mutating webhook is called first, so what is broken shows, and what works denies it. */
function again({ namespace }: ApiProbe) {
  const object = [
    "apiVersion: cert-manager.io/v1",
    "kind: CertificateRequest",
    `metadata: { generateName: certmedic-probe-, namespace: ${namespace} }`,
    "spec:",
    "  request: bm90IGEgY2VydGlmaWNhdGUgcmVxdWVzdA==",
    "  issuerRef: { group: cert-manager.io, kind: Issuer, name: certmedic-probe }",
  ];
  return {
    title: { key: "again" as const },
    for: "kubectl" as const,
    command: `kubectl create --dry-run=server -f - <<'EOF'\n${object.join("\n")}\nEOF`,
    effect: "none" as const,
  };
}

function logs(namespace: string) {
  return {
    title: { key: "logs" as const },
    for: "kubectl" as const,
    command: `kubectl -n ${namespace} logs -l app.kubernetes.io/component=webhook --tail=50 --prefix`,
    effect: "none" as const,
  };
}

const hookNames =
  "kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name'";
const registrations = { title: { key: "registrations" as const }, for: "kubectl" as const, command: hookNames, effect: "none" as const };
const kinds = {
  title: { key: "kinds" as const },
  for: "kubectl" as const,
  command: "kubectl api-resources --api-group=cert-manager.io && kubectl api-resources --api-group=acme.cert-manager.io",
  effect: "none" as const,
};

function owner(hook: string) {
  return {
    title: { key: "owner" as const },
    for: "kubectl" as const,
    command: `${hookNames} | grep -F '${hook.replaceAll("'", "")}'`,
    effect: "none" as const,
  };
}
