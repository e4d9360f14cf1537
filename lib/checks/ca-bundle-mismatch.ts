import { registrationRef } from "../derive/called-services.ts";
import { type TrustedCa, trustedCas } from "../derive/trusted-ca.ts";
import { restart } from "../kube/commands.ts";
import { defineCheck } from "../model/check.ts";
import type { CertificateFacts } from "../model/facts.ts";

export default defineCheck({
  id: "ca-bundle-mismatch",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["webhooks", "caSecrets", "deployments"],
  uses: [],
  causedBy: ["cainjector-not-running", "cainjector-leader-election-forbidden", "multiple-installs"],
  patterns: [
    { in: "webhook-call", text: /x509: certificate signed by unknown authority \(possibly because of/ },
    { in: "anywhere", text: /unable to load root certificates: unable to parse bytes as PEM block/ },
  ],
  sources: [
    "catalogue 1.7 ca-bundle-mismatch",
    "catalogue 1.7 ca-bundle-malformed",
    "https://cert-manager.io/docs/concepts/ca-injector/",
    "https://github.com/cert-manager/cert-manager/issues/7745",
  ],
  strings: {
    title: "Webhook with the wrong CA bundle",
    headline:
      "*No Certificate or Issuer can be created or changed,* because the API server trusts another CA than the one that signs the webhook's certificate.",
    why: "cainjector copies the CA from the webhook's CA Secret into the webhook registrations. Where the copy is stale the API server refuses the webhook's certificate. That happens when the Secret is made anew while cainjector doesn't work, when registrations come back from a backup or a repository, or when two installs write into the same registration.",
    ignore: "For some seconds after the CA Secret was made anew this is normal.",
    mismatch: {
      text: "The `caBundle` of {kind} {name} doesn't contain the CA in Secret {secret} of namespace {namespace}, which signs the webhook's certificate.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    malformed: {
      text: "The `caBundle` of {kind} {name} isn't a certificate in PEM form, so the API server doesn't even call the webhook.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    compared:
      "Certificates are compared by their fingerprints. A bundle may hold older CAs beside the right one, which is normal; here the right one isn't in it.",
    "not-empty": "The bundle has content; it is the wrong one.",
    "not-expired": "It is a matter of which CA, not of its dates.",
    again: "Make cainjector write the bundle again",
    "again-changes":
      "cainjector starts again, takes its lease and writes the CA of Secret {secret} into both registrations. Calls go through as soon as that is done. No Certificate or Secret is touched.",
    copy: "Copy the CA into the registration by hand",
    "copy-changes":
      "The registration trusts the CA that is in Secret {secret} now. This install has no cainjector, so the copy has to be made again whenever that CA changes.",
    "copy-undo": "There is nothing worth going back to: with the old value every call failed.",
    clear: "Take the broken value out",
    "clear-changes": "The bundle is empty until cainjector fills it in, which takes some seconds. Until then calls fail as they do now.",
    verify: "See whether the bundle contains the CA",
    elsewhere: "No registration calls a webhook whose CA Secret could be read.",
    empty: "No registration has a bundle that could be compared.",
  },
  run({ webhooks, caSecrets, deployments }) {
    const entries = trustedCas({ webhooks, caSecrets, deployments });
    if (entries.length === 0) return { status: "not-applicable", because: { key: "elsewhere" } };
    const filled = entries.filter(({ bundle }) => bundle?.length !== 0);
    if (filled.length === 0) return { status: "not-applicable", because: { key: "empty" } };
    const problems = filled.filter(({ trusted }) => !trusted).map(problem);
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      because: problems.some(({ key }) => key === "mismatch") ? [{ key: "compared" }] : [],
      ruledOut: [
        { check: "ca-bundle-empty", key: "not-empty" },
        { check: "webhook-ca-expired", key: "not-expired" },
      ],
    };
  },
});

function problem(entry: TrustedCa) {
  const { install, configuration, index, bundle, secret, ca } = entry;
  const subject = registrationRef(configuration);
  const path = `webhooks[${index}].clientConfig.caBundle`;
  const malformed = bundle === null;
  return {
    key: malformed ? ("malformed" as const) : ("mismatch" as const),
    values: { kind: subject.kind, name: subject.name, secret: secret.metadata.name, namespace: secret.metadata.namespace ?? "" },
    severity: "blocker" as const,
    subject,
    install: install.namespace,
    transient: !malformed,
    evidence: [
      { object: subject, path, value: malformed ? (configuration.webhooks?.[index]?.clientConfig.caBundle ?? null) : fingerprints(bundle) },
      { object: { kind: "Secret", namespace: secret.metadata.namespace, name: secret.metadata.name }, path: "data.ca\\.crt", value: fingerprints(ca) },
    ],
    fix: [...(malformed ? [clear(entry)] : []), repair(entry), verify(entry)],
  };
}

function fingerprints(certificates: readonly CertificateFacts[]): string {
  return certificates.map(({ subject, notBefore, fingerprint }) => `${subject}, since ${notBefore}, SHA-256 ${fingerprint}`).join("\n");
}

function repair({ install, configuration, index, secret }: TrustedCa) {
  const values = { secret: secret.metadata.name };
  const cainjector = install.components.cainjector?.metadata.name;
  if (cainjector) {
    return {
      title: { key: "again" as const },
      for: "kubectl" as const,
      command: restart(install.namespace, cainjector),
      effect: "cluster" as const,
      changes: { key: "again-changes" as const, values },
    };
  }
  const patch = `[{"op":"add","path":"/webhooks/${index}/clientConfig/caBundle","value":"'"$(${readCa(secret.metadata)})"'"}]`;
  return {
    title: { key: "copy" as const },
    for: "kubectl" as const,
    command: `kubectl patch ${configuration.kind.toLowerCase()} ${configuration.metadata.name} --type=json -p '${patch}'`,
    effect: "cluster" as const,
    changes: { key: "copy-changes" as const, values },
    undo: { key: "copy-undo" as const },
  };
}

/** cainjector may refuse to add to what it can't parse, depending on its version. */
function clear({ configuration, index }: TrustedCa) {
  const patch = `[{"op":"remove","path":"/webhooks/${index}/clientConfig/caBundle"}]`;
  return {
    title: { key: "clear" as const },
    for: "kubectl" as const,
    command: `kubectl patch ${configuration.kind.toLowerCase()} ${configuration.metadata.name} --type=json -p '${patch}'`,
    effect: "cluster" as const,
    changes: { key: "clear-changes" as const },
  };
}

function verify({ configuration, index, secret }: TrustedCa) {
  const bundle = `kubectl get ${configuration.kind.toLowerCase()} ${configuration.metadata.name} -o jsonpath='{.webhooks[${index}].clientConfig.caBundle}'`;
  return {
    title: { key: "verify" as const },
    for: "kubectl" as const,
    // The second line of the PEM form holds the serial number, which no other CA shares.
    command: `${bundle} | base64 -d | grep -F "$(${readCa(secret.metadata)} | base64 -d | sed -n 2p)" && echo "the bundle contains the CA"`,
    effect: "none" as const,
  };
}

function readCa({ name, namespace }: { readonly name: string; readonly namespace?: string }): string {
  return `kubectl -n ${namespace} get secret ${name} -o jsonpath='{.data.ca\\.crt}'`;
}
