import { registrationRef } from "../derive/called-services.ts";
import { fixOnce } from "../derive/fix-once.ts";
import { installs } from "../derive/installs.ts";
import { type CaEntry, caEntries } from "../derive/trusted-ca.ts";
import { reapply, restart } from "../kube/commands.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import { isReady } from "../kube/readiness.ts";
import { compareVersions } from "../kube/version.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type CertificateFacts, knownValue } from "../model/facts.ts";
import type { ObjectRef } from "../model/object-ref.ts";

/** The first release of the 1.15 line that renews the CA again, and the line's last one. */
const repaired = { first: "v1.15.3", last: "v1.15.5" };

/** What is left of its life when an expiry is no longer a matter for later. */
const soon = 30 * 24 * 60 * 60 * 1000;

export default defineCheck({
  id: "webhook-ca-expired",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["caSecrets", "webhooks"],
  causedBy: ["ca-secret-rbac"],
  patterns: [{ in: "anywhere", text: /internal error: CA certificate has expired, try again later/ }],
  sources: [
    "catalogue 1.7 webhook-ca-expired",
    "https://github.com/cert-manager/cert-manager/issues/7230",
    "https://github.com/cert-manager/cert-manager/pull/7232",
    "https://cert-manager.io/docs/releases/release-notes/release-notes-1.15/",
  ],
  strings: {
    title: "Webhook CA expired or not renewed",
    headline: "*No Certificate or Issuer can be created or changed,* because the CA of cert-manager's webhook has expired.",
    "headline-later": "*Certificates and Issuers can't be created or changed once the webhook's CA has expired,* and that CA isn't being renewed.",
    why: "The webhook signs its serving certificate with a CA of its own, which lives for a year and is renewed after two thirds of it. When it has expired the API server refuses every call to the webhook. Releases 1.15.0 to 1.15.2 never renew it; otherwise a webhook that couldn't write its Secret is the usual reason.",
    trusted: {
      text: "Every CA that {kind} {name} trusts has expired, the last one on {date}, so the API server refuses every call to {webhook}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    expired: "The CA in Secret {secret} of namespace {namespace} expired on {date}, so the API server refuses every call to {webhook}.",
    never:
      "{webhook} runs {version}, which never renews its CA: on {date} the CA in Secret {secret} of namespace {namespace} expires, and with it every call to the webhook fails.",
    overdue:
      "The CA in Secret {secret} of namespace {namespace} should have been renewed by {due} and expires on {date}, although {webhook} runs. From then on every call to the webhook fails.",
    dates: "The dates are those of the CA's own certificate, compared with the time of the cluster.",
    "not-mismatch": "It is a matter of the CA's dates, whatever the registrations trust.",
    right: "See whether the webhook may write its CA Secret",
    restore: "Give the webhook its right back",
    "restore-changes":
      "The manifest of the same version is applied again, with the Role and RoleBinding that let the webhook write its CA Secret. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    renew: "Have the webhook make a new CA",
    "renew-changes":
      "The Secret with the expired CA and its key is deleted. The webhook starts again and creates a new one within seconds, and cainjector copies it into both registrations. Certificates that cert-manager has issued are not touched.",
    restart: "Have the webhook look at its CA again",
    "restart-changes":
      "The webhook starts again and renews a CA that is overdue or has expired; cainjector copies it into both registrations. Certificates that cert-manager has issued are not touched.",
    upgrade: "Upgrade to a release that renews it",
    "upgrade-changes": "The components are upgraded to {to} and their pods restart. The webhook then renews its CA in time. Certificates and Secrets stay.",
    "upgrade-undo": "Go back to {from} the same way; it doesn't renew its CA.",
    watch: "See until when the CA is valid",
    unreadable: "No CA Secret holds a certificate that could be read.",
  },
  run({ caSecrets, webhooks, deployments }, now) {
    const owners = installs({ deployments }).flatMap((install) => {
      const secret = caSecretOf(install);
      return secret ? [{ install, secret }] : [];
    });
    if (owners.length === 0) return { status: "not-applicable", because: { key: "unreadable" } };
    const secrets = knownValue(caSecrets);
    const judged = owners.flatMap(({ install, secret }) => {
      const found = secrets?.find(({ ref }) => ref.namespace === secret.namespace && ref.name === secret.name);
      const [ca] = found?.object?.caCertificates ?? [];
      return found && ca ? [{ ref: found.ref, install, secret, ca }] : [];
    });
    const problems = secrets
      ? judged.flatMap(({ ref, install, secret, ca }) => {
          const key = stateOf(ca, install, now);
          return key
            ? [{ ...about(key, install, secret, ca, now), subject: ref, evidence: [datesOf(ref, "data.ca\\.crt", ca), ...imageOf(key, install)] }]
            : [];
        })
      : expiredBundles(caEntries({ webhooks: knownValue(webhooks) ?? [], deployments }), now);
    if (problems.length === 0) {
      if (!secrets) return { status: "needs", fact: "caSecrets" };
      return judged.length > 0 ? { status: "pass" } : { status: "not-applicable", because: { key: "unreadable" } };
    }
    const blocked = problems.some(({ severity }) => severity === "blocker");
    return {
      status: "fail",
      problems: fixOnce(problems),
      ...(blocked ? {} : { headline: { key: "headline-later" as const } }),
      because: [{ key: "dates" }],
      ruledOut: [{ check: "ca-bundle-mismatch", key: "not-mismatch" }],
    };
  },
});

/** Without a look into the Secret the registrations tell: none of the CAs that they trust is good any more. */
function expiredBundles(entries: readonly CaEntry[], now: Date) {
  return entries.flatMap(({ bundle, configuration, index, install, secret }) => {
    const last = bundle?.toSorted((a, b) => Date.parse(a.notAfter) - Date.parse(b.notAfter)).at(-1);
    if (!last || Date.parse(last.notAfter) > now.getTime()) return [];
    const subject = registrationRef(configuration);
    const problem = about("trusted", install, secret, last, now);
    const values = { ...problem.values, kind: subject.kind, name: subject.name };
    return [{ ...problem, values, subject, evidence: [datesOf(subject, `webhooks[${index}].clientConfig.caBundle`, last)] }];
  });
}

type Key = "expired" | "trusted" | "never" | "overdue";

function about(key: Key, install: Install, { namespace, name }: NonNullable<ReturnType<typeof caSecretOf>>, ca: CertificateFacts, now: Date) {
  const webhook = install.components.webhook?.metadata.name ?? "";
  const isOver = key === "expired" || key === "trusted";
  const isSoon = Date.parse(ca.notAfter) - now.getTime() < soon;
  return {
    key,
    values: { secret: name, namespace, webhook, version: install.version, date: day(Date.parse(ca.notAfter)), due: day(renewalOf(ca)) },
    severity: isOver ? ("blocker" as const) : isSoon ? ("degraded" as const) : ("warning" as const),
    install: install.namespace,
    fix: [
      ...(neverRenews(install) ? [...(isOver ? [renew(install, namespace, name)] : []), ...upgrade(install)] : retry(install, namespace, name)),
      {
        title: { key: "watch" as const },
        for: "kubectl" as const,
        command: `kubectl -n ${namespace} get secret ${name} -o jsonpath='{.data.ca\\.crt}' | base64 -d | openssl x509 -noout -dates`,
        effect: "none" as const,
      },
    ],
  };
}

function datesOf(object: ObjectRef, path: string, ca: CertificateFacts): Evidence {
  return { object, path, value: `${ca.subject}, valid from ${ca.notBefore} to ${ca.notAfter}` };
}

function stateOf(ca: CertificateFacts, install: Install, now: Date) {
  if (Date.parse(ca.notAfter) <= now.getTime()) return "expired" as const;
  if (neverRenews(install)) return "never" as const;
  const runs = install.components.webhook && isReady(install.components.webhook);
  return runs && renewalOf(ca) < now.getTime() ? ("overdue" as const) : undefined;
}

/** Releases that compute the time of renewal with the wrong sign. */
function neverRenews({ version }: Install): boolean {
  const [from, to] = [compareVersions(version, "v1.15.0"), compareVersions(version, repaired.first)];
  return from !== null && to !== null && from >= 0 && to < 0;
}

/** When two thirds of the CA's life are over. */
function renewalOf({ notBefore, notAfter }: CertificateFacts): number {
  const [from, to] = [Date.parse(notBefore), Date.parse(notAfter)];
  return from + ((to - from) * 2) / 3;
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function imageOf(key: Key, { namespace, components: { webhook } }: Install): readonly Evidence[] {
  if (key !== "never") return [];
  const value = webhook?.spec.template.spec.containers[0]?.image ?? null;
  return [{ object: { kind: "Deployment", namespace, name: webhook?.metadata.name ?? "" }, path: "spec.template.spec.containers[0].image", value }];
}

/** Deleting the Secret is safe here: with an expired CA nothing can break that isn't broken (catalogue 0.7.13). */
function renew({ namespace, components: { webhook } }: Install, secretNamespace: string, secret: string) {
  return {
    title: { key: "renew" as const },
    for: "kubectl" as const,
    command: `kubectl -n ${secretNamespace} delete secret ${secret}\n${restart(namespace, webhook?.metadata.name ?? "")}`,
    effect: "deletes-data" as const,
    changes: { key: "renew-changes" as const },
  };
}

/** A webhook that runs and doesn't renew its CA hasn't been able to; one that starts renews what is overdue. */
function retry(install: Install, secretNamespace: string, secret: string) {
  const { namespace, components } = install;
  const { webhook } = components;
  const account = webhook?.spec.template.spec.serviceAccountName ?? "default";
  const rights = [
    {
      title: { key: "right" as const },
      for: "kubectl" as const,
      command: `kubectl auth can-i update secrets/${secret} -n ${secretNamespace} --as=system:serviceaccount:${namespace}:${account}`,
      effect: "none" as const,
    },
    ...reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }),
  ];
  return [
    ...(webhook && isReady(webhook) ? rights : []),
    {
      title: { key: "restart" as const },
      for: "kubectl" as const,
      command: restart(namespace, webhook?.metadata.name ?? ""),
      effect: "cluster" as const,
      changes: { key: "restart-changes" as const },
    },
  ];
}

function upgrade(install: Install) {
  if (install.method === "olm") return [];
  return reapply(
    { ...install, version: repaired.last },
    {
      title: { key: "upgrade" as const },
      changes: { key: "upgrade-changes" as const, values: { to: repaired.last } },
      undo: { key: "upgrade-undo" as const, values: { from: install.version } },
    },
  );
}
