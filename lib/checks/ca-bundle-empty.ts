import { installServed, registrationRef } from "../derive/called-services.ts";
import { certificateFiles } from "../derive/certificate-files.ts";
import { installs } from "../derive/installs.ts";
import { refillBundles, refillStrings } from "../derive/refill-bundles.ts";
import { type CaEntry, caEntries } from "../derive/trusted-ca.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { reapply } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

export default defineCheck({
  id: "ca-bundle-empty",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["webhooks"],
  uses: ["deployments", "pods", "logs", "apiProbe", "reportedErrors"],
  // In the order in which to look (catalogue); a webhook that never ran has made no CA, which can't be seen where the Secret may not be read.
  causedBy: [
    "cainjector-not-running",
    "crds-missing",
    "cainjector-leader-election-forbidden",
    "ca-secret-missing",
    "webhook-no-endpoints",
    "partial-install",
    "cainjector-rbac",
    "cainjector-waiting-for-crds",
    "ca-secret-rbac",
    "ca-secret-injection-not-allowed",
    "inject-annotation-wrong",
    "gitops-reverts-cabundle",
    "webhook-tls-files-problem",
    "cainjector-scoped-or-kind-disabled",
    "cainjector-leader-waiting",
  ],
  patterns: [
    { in: "webhook-call", text: /x509: certificate signed by unknown authority(?! \(possibly)/ },
    { in: "anywhere", text: /the cert-manager webhook CA bundle is not injected yet/ },
  ],
  sources: ["catalogue 1.7 ca-bundle-empty", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    ...refillStrings,
    title: "Webhook without a CA bundle",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server doesn't trust cert-manager's webhook.",
    why: "cainjector, or the operator of the install, fills in the CA bundle of the webhook registrations. Without it the API server checks the webhook's certificate against its own roots and refuses every request for cert-manager's kinds.",
    ignore: "For a minute or two after an install this is normal: cainjector has to take its lease first.",
    empty: { text: "{kind} {name} has an empty `caBundle`.", note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration" },
    "not-other": "There is no CA in it that could be the wrong one.",
    resync: "Have OLM write its registrations again",
    "resync-changes": "OLM looks at its ClusterServiceVersion again and puts back what it prescribes, the CA bundles among it.",
    none: "No webhook is registered for cert-manager.",
  },
  run({ webhooks, deployments, pods, logs, apiProbe, reportedErrors }) {
    if (webhooks.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const components = knownValue(deployments) ?? [];
    const found = installs({ deployments: components });
    const entries = caEntries({ webhooks, deployments: components }).filter(({ bundle }) => bundle?.length === 0);
    // The certificate in files may be of a CA that the API server trusts by itself, as its call shows.
    const answered = webhookCall({ apiProbe, reportedErrors }).outcome === "answered";
    const trusted = answered ? found.filter((install) => certificateFiles(install, { pods, logs })) : [];
    const problems = webhooks.flatMap(({ configuration, caBundles }) => {
      const empty = caBundles.flatMap((certificates, index) => (certificates?.length === 0 ? [index] : []));
      if (empty.length === 0) return [];
      // What an earlier release left behind lacks more than a CA; its own check tells.
      if (found.length > 0 && !installServed(configuration, { webhooks, installs: found })) return [];
      const subject = registrationRef(configuration);
      const namespace = configuration.webhooks?.[0]?.clientConfig.service?.namespace;
      const install = found.find((one) => one.namespace === namespace);
      if (install && trusted.includes(install)) return [];
      const filler = entries.some((entry) => entry.configuration === configuration);
      return [
        {
          key: "empty" as const,
          values: { kind: subject.kind, name: subject.name },
          severity: "blocker" as const,
          subject,
          install: namespace,
          transient: filler || install?.method === "olm",
          evidence: empty.map((index) => ({
            object: subject,
            path: `webhooks[${index}].clientConfig.caBundle`,
            value: configuration.webhooks?.[index]?.clientConfig.caBundle ?? null,
          })),
          fix: install ? fix(install, configuration, entries) : [],
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, ruledOut: [{ check: "ca-bundle-mismatch", key: "not-other" }] };
  },
});

/** What writes into all registrations of an install is told with the first of them. */
function fix(install: Install, configuration: WebhookConfiguration, entries: readonly CaEntry[]) {
  if (install.method === "olm") return reapply(install, { title: { key: "resync" as const }, changes: { key: "resync-changes" as const } });
  const own = entries.filter((entry) => entry.install.namespace === install.namespace);
  const here = own.filter((entry) => entry.configuration === configuration);
  if (here.length === 0) return [];
  if (!install.components.cainjector) return refillBundles(install, here);
  return own[0]?.configuration === configuration ? refillBundles(install, own) : [];
}
