import { installs } from "../derive/installs.ts";
import { reapply, restart } from "../kube/commands.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import { isReady } from "../kube/readiness.ts";
import { compareVersions } from "../kube/version.ts";
import { defineCheck } from "../model/check.ts";
import type { CertificateFacts } from "../model/facts.ts";

/** The first release of the 1.15 line that renews the CA again, and the line's last one. */
const repaired = { first: "v1.15.3", last: "v1.15.5" };

export default defineCheck({
  id: "webhook-ca-expired",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["caSecrets", "deployments"],
  uses: [],
  causedBy: [],
  patterns: [
    { in: "webhook-call", text: /x509: certificate has expired or is not yet valid/ },
    { in: "anywhere", text: /internal error: CA certificate has expired, try again later/ },
  ],
  sources: [
    "catalogue 1.7 webhook-ca-expired",
    "https://github.com/cert-manager/cert-manager/issues/7230",
    "https://github.com/cert-manager/cert-manager/pull/7232",
    "https://cert-manager.io/docs/releases/release-notes/release-notes-1.15/",
  ],
  strings: {
    title: "Webhook CA expired or not renewed",
    headline: "*Certificates and Issuers can't be created or changed once the webhook's CA has expired,* and that CA isn't being renewed.",
    why: "The webhook signs its serving certificate with a CA of its own, which lives for a year and is renewed after two thirds of it. When it has expired the API server refuses every call to the webhook. Releases 1.15.0 to 1.15.2 never renew it; otherwise a webhook that couldn't write its Secret is the usual reason.",
    expired: "The CA in Secret {secret} of namespace {namespace} expired on {date}, so the API server refuses every call to {webhook}.",
    never:
      "{webhook} runs {version}, which never renews its CA: on {date} the CA in Secret {secret} of namespace {namespace} expires, and with it every call to the webhook fails.",
    overdue:
      "The CA in Secret {secret} of namespace {namespace} should have been renewed by {due} and expires on {date}, although {webhook} runs. From then on every call to the webhook fails.",
    dates: "The dates are those of the certificate in the Secret's `ca.crt`, compared with the time of the cluster.",
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
  run({ caSecrets, deployments }, now) {
    const found = installs({ deployments });
    const judged = caSecrets.flatMap(({ ref, object }) => {
      const install = found.find((one) => {
        const secret = caSecretOf(one);
        return secret?.namespace === ref.namespace && secret?.name === ref.name;
      });
      const [ca] = object?.caCertificates ?? [];
      return install && ca ? [{ ref, install, ca }] : [];
    });
    if (judged.length === 0) return { status: "not-applicable", because: { key: "unreadable" } };
    const problems = judged.flatMap(({ ref, install, ca }) => {
      const key = stateOf(ca, install, now);
      if (!key) return [];
      const { namespace = "", name } = ref;
      const webhook = install.components.webhook?.metadata.name ?? "";
      return [
        {
          key,
          values: { secret: name, namespace, webhook, version: install.version, date: day(Date.parse(ca.notAfter)), due: day(renewalOf(ca)) },
          severity: key === "expired" ? ("blocker" as const) : ("warning" as const),
          subject: ref,
          install: install.namespace,
          evidence: [
            { object: ref, path: "data.ca\\.crt", value: `${ca.subject}, valid from ${ca.notBefore} to ${ca.notAfter}` },
            ...(key === "never" ? [imageOf(install)] : []),
          ],
          fix: [
            ...(neverRenews(install)
              ? [...(key === "expired" ? [renew(install, namespace, name)] : []), ...upgrade(install)]
              : retry(install, namespace, name)),
            {
              title: { key: "watch" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} get secret ${name} -o jsonpath='{.data.ca\\.crt}' | base64 -d | openssl x509 -noout -dates`,
              effect: "none" as const,
            },
          ],
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, because: [{ key: "dates" }], ruledOut: [{ check: "ca-bundle-mismatch", key: "not-mismatch" }] };
  },
});

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

function imageOf({ namespace, components: { webhook } }: Install) {
  return {
    object: { kind: "Deployment", namespace, name: webhook?.metadata.name ?? "" },
    path: "spec.template.spec.containers[0].image",
    value: webhook?.spec.template.spec.containers[0]?.image ?? null,
  };
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
