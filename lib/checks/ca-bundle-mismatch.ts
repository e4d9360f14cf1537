import { registrationRef } from "../derive/called-services.ts";
import { refillBundles, refillStrings } from "../derive/refill-bundles.ts";
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
  causedBy: [
    "cainjector-not-running",
    "cainjector-leader-election-forbidden",
    "ca-secret-injection-not-allowed",
    "inject-annotation-wrong",
    "gitops-reverts-cabundle",
    "multiple-installs",
    "cainjector-rbac",
    "cainjector-waiting-for-crds",
    "ca-secret-rbac",
    "ca-secret-invalid",
    "cainjector-scoped-or-kind-disabled",
    "cainjector-leader-waiting",
    // A webhook that was told to make a certificate where OLM registered another one serves neither its names nor its CA.
    "serving-cert-wrong-san",
  ],
  patterns: [{ in: "webhook-call", text: /x509: certificate signed by unknown authority \(possibly because of/ }],
  sources: [
    "catalogue 1.7 ca-bundle-mismatch",
    "https://cert-manager.io/docs/concepts/ca-injector/",
    "https://github.com/cert-manager/cert-manager/issues/7745",
  ],
  strings: {
    ...refillStrings,
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
    stale: {
      text: "The `caBundle` of {kind} {name} contains the CA in Secret {secret} of namespace {namespace}, and the API server met a certificate of another CA with that name: the webhook hasn't taken over the CA of its own Secret.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    "restart-webhook": "Have the webhook take over its CA",
    "restart-webhook-changes":
      "The webhook starts again and signs its certificate with the CA that is in Secret {secret}. No Certificate or Secret is touched.",
    compared:
      "Certificates are compared by their fingerprints. A bundle may hold older CAs beside the right one, which is normal; here the right one isn't in it.",
    "not-empty": "The bundle has content; it is the wrong one.",
    "not-expired": "It is a matter of which CA, not of its dates.",
    elsewhere: "No registration calls a webhook whose CA Secret could be read.",
    empty: "No registration has a bundle that could be compared.",
  },
  run({ webhooks, caSecrets, deployments, apiProbe, reportedErrors }) {
    const entries = caEntries({ webhooks, deployments });
    if (entries.length === 0) return { status: "not-applicable", because: { key: "elsewhere" } };
    const filled = entries.filter(isFilled);
    if (filled.length === 0) return { status: "not-applicable", because: { key: "empty" } };
    const compared = trustedCas({ webhooks, caSecrets: knownValue(caSecrets) ?? [], deployments }).filter(isFilled);
    const uncompared = filled.filter((entry) => !compared.some((other) => isSame(entry, other)));
    const made = webhookCall({ apiProbe, reportedErrors });
    const problems = [
      ...compared.filter(({ trusted }) => !trusted).map(mismatch),
      ...refused(uncompared, "refused", made),
      ...refused(
        compared.filter(({ trusted }) => trusted),
        "stale",
        made,
      ),
    ];
    if (problems.length === 0) {
      // A Secret that can't be read may hold another CA.
      if (caSecrets.state !== "known") return { status: "needs", fact: "caSecrets" };
      return compared.length > 0 ? { status: "pass" } : { status: "not-applicable", because: { key: "elsewhere" } };
    }
    return {
      status: "fail",
      problems: problems.map(({ entry, ...problem }) => ({ ...problem, fix: fix({ entry, key: problem.key }, problems) })),
      because: problems.some(({ key }) => key === "mismatch") ? [{ key: "compared" }] : [],
      ruledOut: [
        { check: "ca-bundle-empty", key: "not-empty" },
        { check: "webhook-ca-expired", key: "not-expired" },
      ],
    };
  },
});

function isFilled({ bundle }: CaEntry): boolean {
  return bundle !== null && bundle.length > 0;
}

function isSame(a: CaEntry, b: CaEntry): boolean {
  return a.configuration === b.configuration && a.index === b.index;
}

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

function mismatch(entry: TrustedCa) {
  const { path, ...problem } = about(entry);
  const evidence: readonly Evidence[] = [
    { object: problem.subject, path, value: fingerprints(entry.bundle ?? []) },
    { object: { kind: "Secret", ...entry.secret }, path: "data.ca\\.crt", value: fingerprints(entry.ca) },
  ];
  return { ...problem, key: "mismatch" as const, transient: true, evidence };
}

/** What the API server said about its call convicts the entry that it called by. */
function refused(entries: readonly CaEntry[], key: "refused" | "stale", made: WebhookCallOutcome) {
  if (made.outcome !== "failed" || !otherKey.test(made.call.reason)) return [];
  // What was reported may be older than a bundle that is right now.
  if (key === "stale" && made.from === "reported") return [];
  return entries
    .filter((entry) => calls(entry, made.call))
    .map((entry) => {
      const { path, ...problem } = about(entry);
      const evidence: readonly Evidence[] = [{ object: problem.subject, path, value: fingerprints(entry.bundle ?? []) }, made.evidence];
      return { ...problem, key, transient: true, evidence };
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
function fix({ entry, key }: Found, problems: readonly Found[]) {
  const { install, secret } = entry;
  const webhook = install.components.webhook;
  if (key === "stale" && webhook) {
    return [
      {
        title: { key: "restart-webhook" as const },
        for: "kubectl" as const,
        command: restart(install.namespace, webhook.metadata.name),
        effect: "cluster" as const,
        changes: { key: "restart-webhook-changes" as const, values: { secret: secret.name } },
      },
    ];
  }
  if (!install.components.cainjector) return refillBundles(install, [entry]);
  const own = problems.filter((problem) => problem.key !== "stale" && problem.entry.install.namespace === install.namespace);
  const entries = own.map((problem) => problem.entry);
  return entries[0] === entry ? refillBundles(install, entries) : [];
}

interface Found {
  readonly entry: CaEntry;
  readonly key: string;
}
