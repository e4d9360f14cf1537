import { registrationRef } from "../derive/called-services.ts";
import { type CaEntry, caEntries, type TrustedCa, trustedCas } from "../derive/trusted-ca.ts";
import { type WebhookCallOutcome, webhookCall } from "../derive/webhook-call.ts";
import { restart } from "../kube/commands.ts";
import type { WebhookCall } from "../kube/error-text.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type CertificateFacts, knownValue } from "../model/facts.ts";

/** Said where the bundle has a CA with the name of the right one and another key. */
const otherKey = /x509: certificate signed by unknown authority \(possibly because of .*verification (?:failure|error)/;

export default defineCheck({
  id: "ca-bundle-mismatch",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["webhooks", "deployments"],
  uses: ["caSecrets", "apiProbe", "reportedErrors"],
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
    refused: {
      text: "The `caBundle` of {kind} {name} holds a CA with the name of the one that signs the webhook's certificate, and it isn't that one.",
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
  run({ webhooks, caSecrets, deployments, apiProbe, reportedErrors }) {
    const entries = caEntries({ webhooks, deployments });
    if (entries.length === 0) return { status: "not-applicable", because: { key: "elsewhere" } };
    const filled = entries.filter(({ bundle }) => bundle?.length !== 0);
    if (filled.length === 0) return { status: "not-applicable", because: { key: "empty" } };
    const compared = trustedCas({ webhooks, caSecrets: knownValue(caSecrets) ?? [], deployments }).filter(({ bundle }) => bundle?.length !== 0);
    const problems = [
      ...filled.filter(({ bundle }) => bundle === null).map(malformed),
      ...compared.filter(({ bundle, trusted }) => bundle !== null && !trusted).map(mismatch),
      ...(caSecrets.state === "known" ? [] : refused(filled, webhookCall({ apiProbe, reportedErrors }))),
    ];
    if (problems.length === 0) {
      // A Secret that can't be read may hold another CA.
      if (caSecrets.state !== "known") return { status: "needs", fact: "caSecrets" };
      return compared.length > 0 ? { status: "pass" } : { status: "not-applicable", because: { key: "elsewhere" } };
    }
    return {
      status: "fail",
      problems: problems.map(({ entry, ...problem }) => ({ ...problem, fix: fix(entry, problems) })),
      because: problems.some(({ key }) => key === "mismatch") ? [{ key: "compared" }] : [],
      ruledOut: [
        { check: "ca-bundle-empty", key: "not-empty" },
        { check: "webhook-ca-expired", key: "not-expired" },
      ],
    };
  },
});

function about(entry: CaEntry) {
  const { install, configuration, index, secret } = entry;
  const subject = registrationRef(configuration);
  return {
    entry,
    values: { kind: subject.kind, name: subject.name, secret: secret.name, namespace: secret.namespace },
    severity: "blocker" as const,
    subject,
    install: install.namespace,
    path: `webhooks[${index}].clientConfig.caBundle`,
  };
}

function malformed(entry: CaEntry) {
  const { path, ...problem } = about(entry);
  const value = entry.configuration.webhooks?.[entry.index]?.clientConfig.caBundle ?? null;
  return { ...problem, key: "malformed" as const, transient: false, evidence: [{ object: problem.subject, path, value }] };
}

function mismatch(entry: TrustedCa) {
  const { path, ...problem } = about(entry);
  const evidence: readonly Evidence[] = [
    { object: problem.subject, path, value: fingerprints(entry.bundle ?? []) },
    { object: { kind: "Secret", ...entry.secret }, path: "data.ca\\.crt", value: fingerprints(entry.ca) },
  ];
  return { ...problem, key: "mismatch" as const, transient: true, evidence };
}

/** What the API server said about its call convicts the entry that it called by. */
function refused(entries: readonly CaEntry[], made: WebhookCallOutcome) {
  if (made.outcome !== "failed" || !otherKey.test(made.call.reason)) return [];
  return entries
    .filter((entry) => entry.bundle !== null && calls(entry, made.call))
    .map((entry) => {
      const { path, ...problem } = about(entry);
      const evidence: readonly Evidence[] = [{ object: problem.subject, path, value: fingerprints(entry.bundle ?? []) }, made.evidence];
      return { ...problem, key: "refused" as const, transient: true, evidence };
    });
}

function calls({ configuration, index }: CaEntry, { service, namespace, path }: WebhookCall): boolean {
  const called = configuration.webhooks?.[index]?.clientConfig.service;
  return called?.name === service && called?.namespace === namespace && (called?.path ?? "/") === `/${path}`;
}

function fingerprints(certificates: readonly CertificateFacts[]): string {
  return certificates.map(({ subject, notBefore, fingerprint }) => `${subject}, since ${notBefore}, SHA-256 ${fingerprint}`).join("\n");
}

/** One start of cainjector mends every registration of its install, so that is told once; without it each is mended by itself. */
function fix(entry: CaEntry, problems: readonly { readonly entry: CaEntry; readonly key: string }[]) {
  const { install } = entry;
  const cainjector = install.components.cainjector?.metadata.name;
  if (!cainjector) return [copy(entry), verify([entry])];
  const own = problems.filter((problem) => problem.entry.install.namespace === install.namespace);
  if (own[0]?.entry !== entry) return [];
  const broken = own.filter(({ key }) => key === "malformed").map((problem) => problem.entry);
  return [
    ...(broken.length > 0 ? [clear(broken)] : []),
    {
      title: { key: "again" as const },
      for: "kubectl" as const,
      command: restart(install.namespace, cainjector),
      effect: "cluster" as const,
      changes: { key: "again-changes" as const, values: { secret: entry.secret.name } },
    },
    verify(own.map((problem) => problem.entry)),
  ];
}

function copy({ configuration, index, secret }: CaEntry) {
  const patch = `[{"op":"add","path":"/webhooks/${index}/clientConfig/caBundle","value":"'"$(${readCa(secret)})"'"}]`;
  return {
    title: { key: "copy" as const },
    for: "kubectl" as const,
    command: `kubectl patch ${configuration.kind.toLowerCase()} ${configuration.metadata.name} --type=json -p '${patch}'`,
    effect: "cluster" as const,
    changes: { key: "copy-changes" as const, values: { secret: secret.name } },
    undo: { key: "copy-undo" as const },
  };
}

/** cainjector may refuse to add to what it can't parse, depending on its version. */
function clear(entries: readonly CaEntry[]) {
  return {
    title: { key: "clear" as const },
    for: "kubectl" as const,
    command: entries
      .map(({ configuration: { kind, metadata }, index }) => {
        const patch = `[{"op":"remove","path":"/webhooks/${index}/clientConfig/caBundle"}]`;
        return `kubectl patch ${kind.toLowerCase()} ${metadata.name} --type=json -p '${patch}'`;
      })
      .join("\n"),
    effect: "cluster" as const,
    changes: { key: "clear-changes" as const },
  };
}

function verify(entries: readonly CaEntry[]) {
  return {
    title: { key: "verify" as const },
    for: "kubectl" as const,
    // The second line of the PEM form holds the serial number, which no other CA shares.
    command: entries
      .map(({ configuration: { kind, metadata }, index, secret }) => {
        const bundle = `kubectl get ${kind.toLowerCase()} ${metadata.name} -o jsonpath='{.webhooks[${index}].clientConfig.caBundle}'`;
        return `${bundle} | base64 -d | grep -F "$(${readCa(secret)} | base64 -d | sed -n 2p)" && echo "the bundle contains the CA"`;
      })
      .join("\n"),
    effect: "none" as const,
  };
}

function readCa({ namespace, name }: CaEntry["secret"]): string {
  return `kubectl -n ${namespace} get secret ${name} -o jsonpath='{.data.ca\\.crt}'`;
}
