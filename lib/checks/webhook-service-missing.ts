import { type CalledService, calledServices, callerEvidence, isSupplanted } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { wrongTargets } from "../derive/wrong-targets.ts";
import { reapply } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { defineCheck } from "../model/check.ts";
import { refText } from "../model/object-ref.ts";

export default defineCheck({
  id: "webhook-service-missing",
  area: "webhook-reachability",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "deployments"],
  uses: ["apiProbe", "reportedErrors"],
  causedBy: [],
  patterns: [
    // A name that was never meant to be one is a failure mode of its own.
    { in: "webhook-call", text: /service "(?!([a-z][a-z0-9-]{5,60})\1|release-name\b)(?<missing>[^"]*)" not found/i },
    { in: "anywhere", text: /the cert-manager webhook service is not created yet/ },
  ],
  sources: ["catalogue 1.8 webhook-service-missing", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Webhook without a Service",
    headline: "*No Certificate or Issuer can be created or changed,* because the Service in front of cert-manager's webhook is missing.",
    why: "The API server finds the webhook by the Service that the registration names. Without it every create and update of cert-manager's kinds is refused, although the webhook itself may be running.",
    ignore: "For a few seconds during an install this is normal.",
    missing: {
      text: "Service {service} in namespace {namespace}, which the webhook registrations call, doesn't exist.",
      note: "Service is the Kubernetes kind",
    },
    "not-orphaned": "cert-manager runs, so its registration isn't a leftover: removing it would only hide the fault.",
    restore: "Put the Service back",
    "restore-changes":
      "The manifest of the same version is applied again: the missing Service is created, and changes made by hand to cert-manager's own objects are undone. Certificates and Secrets stay as they are.",
    see: "See whether the Service has endpoints",
    none: "No registration calls a Service for cert-manager's webhook.",
    orphaned: "The Service is missing, and nothing needs it: the registration that calls it is a leftover.",
    astray: "The Service in front of the webhook is there: it is the registration that calls another one.",
  },
  run({ webhooks, webhookServices, deployments, apiProbe, reportedErrors }) {
    const called = calledServices({ webhooks, webhookServices });
    if (called.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const missing = called.filter(({ service }) => service === null);
    if (missing.length === 0) return { status: "pass" };
    const found = installs({ deployments });
    const made = webhookCall({ apiProbe, reportedErrors });
    const answerAbout = ({ ref }: CalledService) =>
      made.outcome === "failed" && made.call.service === ref.name && made.call.namespace === ref.namespace ? [made.evidence] : [];

    const astray = new Set(wrongTargets({ webhooks, webhookServices, deployments }).map(({ ref }) => refText(ref)));
    const isLeftover = ({ callers }: CalledService, install: Install) => callers.every(({ configuration }) => isSupplanted(configuration, install, webhooks));
    const gone = missing.flatMap((one) => {
      const { ref } = one;
      if (astray.has(refText(ref))) return [];
      const own = found.find((install) => install.namespace === ref.namespace);
      if (!own || isLeftover(one, own)) return [];
      return [
        {
          key: "missing" as const,
          values: { service: ref.name, namespace: ref.namespace },
          severity: "blocker" as const,
          subject: ref,
          component: "webhook" as const,
          install: ref.namespace,
          transient: true,
          evidence: [{ object: ref, path: "metadata", value: null }, ...callerEvidence(one), ...answerAbout(one)],
          fix: [
            ...reapply(own, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }),
            {
              title: { key: "see" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${ref.namespace} get endpointslices -l kubernetes.io/service-name=${ref.name}`,
              effect: "none" as const,
            },
          ],
        },
      ];
    });
    if (gone.length === 0) return { status: "not-applicable", because: { key: astray.size > 0 ? "astray" : "orphaned" } };
    return { status: "fail", problems: gone, ruledOut: [{ check: "webhook-config-orphaned", key: "not-orphaned" }] };
  },
});
