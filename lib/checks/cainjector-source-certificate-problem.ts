import { installs } from "../derive/installs.ts";
import { hasWorkingCainjector } from "../derive/working-cainjector.ts";
import { allowsInjection, certificateName, injectionRequest } from "../kube/injection.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { InjectionSource } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** cainjector fills a bundle in within a second of everything being there. */
const patience = 60_000;

type Fault = "no-source" | "no-certificate" | "not-ready" | "no-secret" | "not-allowed" | "not-owned" | "no-ca" | "waiting";
type Key = Fault | "look" | "allow" | "allow-changes" | "allow-undo" | "name" | "name-changes" | "name-undo" | "issuer" | "verify";

export default defineCheck({
  id: "cainjector-source-certificate-problem",
  area: "cainjector",
  severity: "degraded",
  needs: ["deployments", "injectionSources"],
  uses: ["pods", "leases"],
  causedBy: [
    "cainjector-not-running",
    "cainjector-leader-election-forbidden",
    "cainjector-leader-waiting",
    "cainjector-rbac",
    "cainjector-waiting-for-crds",
    "cainjector-scoped-or-kind-disabled",
    "controller-not-running",
    "controller-rbac-forbidden",
    "controller-leader-election-lost",
  ],
  patterns: [{ in: "anywhere", text: /unable to fetch associated certificate|refusing to target secret|certificate has no CA data/ }],
  sources: ["catalogue 1.9 cainjector-source-certificate-problem", "https://cert-manager.io/docs/concepts/ca-injector/"],
  strings: {
    title: "Another product's webhook without its CA",
    headline: "*Another product's webhook can't be called,* because cainjector doesn't get the CA that it is to fill in for it.",
    why: "A registration may ask cainjector for a CA by an annotation that names a Certificate or a Secret. Until it has one, the API server doesn't trust that webhook, and refuses what it has to see, with `x509: certificate signed by unknown authority`. cert-manager's own webhook isn't concerned.",
    ignore: "In the first minute after that product was installed its Certificate may not be issued yet.",
    "no-source": "{target} asks for a CA by `{annotation}: {value}`, which doesn't name a namespace: it has to be `namespace/name`.",
    "no-certificate": "{target} asks for the CA of Certificate {source}, which doesn't exist.",
    "not-ready": {
      text: "{target} asks for the CA of Certificate {source}, which isn't Ready: {reason}",
      note: "{reason} is a sentence of cert-manager's, in English",
    },
    "no-secret": "{target} asks for the CA in Secret {source}, which doesn't exist.",
    "not-allowed":
      'Secret {source}, whose CA {target} asks for, lacks the annotation `cert-manager.io/allow-direct-injection: "true"`. A label of that name doesn\'t count.',
    "not-owned":
      "Secret {source}, whose CA {target} asks for, doesn't belong to the Certificate that is named: its annotation `cert-manager.io/certificate-name` says otherwise.",
    "no-ca":
      "{target} asks for a CA that is there and may be copied, and has none. Likely there is no `ca.crt` in Secret {source}: ACME issuers don't give one.",
    waiting: "{target} waits for the CA of {source}, and no cainjector works that could fill it in.",
    look: "See what keeps the Certificate from being issued",
    allow: "Allow the copy",
    "allow-changes": "cainjector sees the annotation and fills in the CA within seconds. The Secret's content stays as it is.",
    "allow-undo": "The same command with `cert-manager.io/allow-direct-injection-` takes the annotation away.",
    name: "Name the namespace as well",
    "name-changes": "The annotation names a source in the namespace of the webhook's Service; cainjector fills in the CA within seconds.",
    "name-undo": "Set the annotation back to `{value}`.",
    issuer: "See whether the Secret has a CA, and which issuer signed the certificate",
    verify: "See whether the CA is filled in",
  },
  run({ deployments, injectionSources, pods, leases }, now) {
    const works = hasWorkingCainjector({ deployments, pods, leases }, now);
    const found = installs({ deployments });
    const problems = injectionSources.flatMap((source) => {
      const fault = faultOf(source, works, now);
      const request = injectionRequest(source.target);
      if (!fault || !request) return [];
      const target: ObjectRef = { kind: source.target.kind, name: source.target.metadata.name };
      return [
        {
          key: fault.key,
          values: {
            target: `${target.kind} ${target.name}`,
            source: fault.about ?? request.value,
            annotation: request.annotation,
            value: request.value,
            reason: fault.reason ?? "",
          },
          severity: "degraded" as const,
          subject: target,
          // Without a certificate it is the controller's turn.
          ...(fault.key === "not-ready" ? { component: "controller" as const } : { component: "cainjector" as const }),
          ...(found.length === 1 ? { install: found[0]?.namespace } : {}),
          evidence: [{ object: target, path: metadataPath("annotations", request.annotation), value: request.value }, ...fault.evidence],
          fix: fix(source, fault.key, target),
        },
      ];
    });
    return problems.length > 0 ? { status: "fail", problems } : { status: "pass" };
  },
});

interface Found {
  readonly key: Fault;
  readonly evidence: readonly Evidence[];
  readonly about?: string;
  readonly reason?: string;
}

/** What the source lacks, in the order in which cainjector stumbles over it. */
function faultOf(injection: InjectionSource, works: boolean, now: Date): Found | undefined {
  const { target, certificate, secret } = injection;
  const source = injectionRequest(target)?.source;
  if (!source) return { key: "no-source", evidence: [] };
  if (certificate && !certificate.object) return { key: "no-certificate", evidence: [{ object: certificate.ref, path: "metadata", value: null }] };
  const conditions = certificate?.object?.status?.conditions ?? [];
  const at = conditions.findIndex(({ type }) => type === "Ready");
  if (certificate && conditions[at]?.status !== "True") {
    const reason = conditions[at]?.message ?? "cert-manager hasn't looked at it yet.";
    return {
      key: "not-ready",
      reason,
      evidence: [{ object: certificate.ref, path: `status.conditions[${Math.max(at, 0)}].status`, value: conditions[at]?.status ?? null }],
    };
  }
  if (secret) {
    const about = `${secret.ref.namespace}/${secret.ref.name}`;
    if (!secret.object) return { key: "no-secret", about, evidence: [{ object: secret.ref, path: "metadata", value: null }] };
    const { annotations = {} } = secret.object.metadata;
    const marked = (key: string): readonly Evidence[] => [{ object: secret.ref, path: metadataPath("annotations", key), value: annotations[key] ?? null }];
    if (!certificate && annotations[allowsInjection] !== "true") return { key: "not-allowed", about, evidence: marked(allowsInjection) };
    if (certificate && annotations[certificateName] !== certificate.ref.name) return { key: "not-owned", about, evidence: marked(certificateName) };
  }
  if (!works) return { key: "waiting", evidence: [] };
  const { creationTimestamp = "" } = target.metadata;
  if (now.getTime() - Date.parse(creationTimestamp) < patience) return undefined;
  const name = certificate?.object?.spec?.secretName ?? source.name;
  return {
    key: "no-ca",
    about: `${source.namespace}/${name}`,
    evidence: certificate ? [{ object: certificate.ref, path: "spec.secretName", value: name }] : [],
  };
}

function fix({ target, namespace, certificate, secret }: InjectionSource, key: Fault, { kind, name }: ObjectRef): readonly FixStep<Key>[] {
  const look = (title: "look" | "issuer" | "verify", command: string): FixStep<Key> => ({ title: { key: title }, for: "kubectl", command, effect: "none" });
  const bundle = kind === "APIService" ? "{.spec.caBundle}" : "{.webhooks[*].clientConfig.caBundle}";
  const verify = look("verify", `kubectl get ${kind.toLowerCase()} ${name} -o jsonpath='${bundle}' | head -c 60`);
  const request = injectionRequest(target);
  if (key === "no-source" && request) {
    if (!namespace) return [verify];
    const command = `kubectl annotate ${kind.toLowerCase()} ${name} ${request.annotation}=${namespace}/${request.value} --overwrite`;
    const undo = { key: "name-undo" as const, values: { value: request.value } };
    return [{ title: { key: "name" }, for: "kubectl", command, effect: "cluster", changes: { key: "name-changes" }, undo }, verify];
  }
  if (key === "not-allowed" && secret) {
    const command = `kubectl -n ${secret.ref.namespace} annotate secret ${secret.ref.name} ${allowsInjection}=true --overwrite`;
    return [{ title: { key: "allow" }, for: "kubectl", command, effect: "cluster", changes: { key: "allow-changes" }, undo: { key: "allow-undo" } }, verify];
  }
  if (key === "no-ca" || key === "not-owned" || key === "no-secret") {
    const home = request?.source?.namespace ?? "";
    const of = secret?.ref.name ?? certificate?.object?.spec?.secretName ?? request?.source?.name;
    const issuer = certificate ? `kubectl -n ${home} get certificate ${certificate.ref.name} -o jsonpath='{.spec.issuerRef}'\n` : "";
    return [look("issuer", `${issuer}kubectl -n ${home} describe secret ${of}`), verify];
  }
  if (key === "waiting" || !certificate) return [verify];
  const { ref } = certificate;
  return [
    look("look", `kubectl -n ${ref.namespace} get certificates,certificaterequests\nkubectl -n ${ref.namespace} describe certificate ${ref.name}`),
    verify,
  ];
}
