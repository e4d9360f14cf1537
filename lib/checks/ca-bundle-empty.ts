import { fixOnce } from "../derive/fix-once.ts";
import { installs } from "../derive/installs.ts";
import { caSecretOf } from "../kube/install.ts";
import { defineCheck } from "../model/check.ts";

export default defineCheck({
  id: "ca-bundle-empty",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["webhooks"],
  uses: ["deployments"],
  // A webhook that never ran has made no CA, which can't be seen where the Secret may not be read.
  causedBy: ["cainjector-not-running", "cainjector-leader-election-forbidden", "ca-secret-missing", "webhook-no-endpoints", "crds-missing", "partial-install"],
  patterns: [
    { in: "webhook-call", text: /x509: certificate signed by unknown authority(?! \(possibly)/ },
    { in: "anywhere", text: /the cert-manager webhook CA bundle is not injected yet/ },
  ],
  sources: ["catalogue 1.7 ca-bundle-empty", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Webhook without a CA bundle",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server doesn't trust cert-manager's webhook.",
    why: "cainjector fills in the CA bundle of the webhook registrations. Without it the API server checks the webhook's certificate against its own roots and refuses every request for cert-manager's kinds.",
    ignore: "For a minute or two after an install this is normal: cainjector has to take its lease first.",
    empty: { text: "{kind} {name} has an empty `caBundle`.", note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration" },
    touch: "Make cainjector fill in the bundle",
    "touch-changes": "cainjector starts again, takes its lease and writes `caBundle` into both registrations. Nothing else changes.",
    watch: "Watch the bundle arrive",
    none: "No webhook is registered for cert-manager.",
  },
  run({ webhooks, deployments }) {
    if (webhooks.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const found = deployments.state === "known" ? installs({ deployments: deployments.value }) : [];
    const problems = webhooks.flatMap(({ configuration, caBundles }) => {
      const empty = caBundles.flatMap((certificates, index) => (certificates?.length === 0 ? [index] : []));
      if (empty.length === 0) return [];
      const { kind, metadata } = configuration;
      const subject = { kind, name: metadata.name };
      const namespace = configuration.webhooks?.[0]?.clientConfig.service?.namespace;
      const install = found.find((one) => one.namespace === namespace);
      const cainjector = install?.components.cainjector?.metadata.name;
      return [
        {
          key: "empty" as const,
          values: { kind, name: metadata.name },
          severity: "blocker" as const,
          subject,
          install: namespace,
          transient: install !== undefined && caSecretOf(install) !== undefined,
          evidence: empty.map((index) => ({
            object: subject,
            path: `webhooks[${index}].clientConfig.caBundle`,
            value: configuration.webhooks?.[index]?.clientConfig.caBundle ?? null,
          })),
          fix:
            install && cainjector
              ? [
                  {
                    title: { key: "touch" as const },
                    for: "kubectl" as const,
                    command: `kubectl -n ${install.namespace} rollout restart deployment/${cainjector}`,
                    effect: "cluster" as const,
                    changes: { key: "touch-changes" as const },
                  },
                  {
                    title: { key: "watch" as const },
                    for: "kubectl" as const,
                    command:
                      "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='NAME:.metadata.name,CA:.webhooks[*].clientConfig.caBundle' | cut -c1-80",
                    effect: "none" as const,
                  },
                ]
              : [],
        },
      ];
    });
    return problems.length > 0 ? { status: "fail", problems: fixOnce(problems) } : { status: "pass" };
  },
});
