import { type CalledService, calledServices, callerEvidence, installBehind } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { reapply } from "../kube/commands.ts";
import { defineCheck } from "../model/check.ts";

export default defineCheck({
  id: "webhook-service-missing",
  area: "webhook-reachability",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "deployments"],
  uses: ["apiProbe", "reportedErrors"],
  causedBy: [],
  patterns: [
    { in: "webhook-call", text: /service "(?<missing>[^"]*)" not found/ },
    { in: "anywhere", text: /the cert-manager webhook service is not created yet/ },
  ],
  sources: ["catalogue 1.8 webhook-service-missing", "catalogue 1.6 webhook-config-wrong-target", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Webhook without a Service",
    headline: "*No Certificate or Issuer can be created or changed,* because the Service in front of cert-manager's webhook is missing.",
    why: "The API server finds the webhook by the Service that the registration names. Without it every create and update of cert-manager's kinds is refused, although the webhook itself may be running.",
    ignore: "For a few seconds during an install this is normal.",
    missing: {
      text: "Service {service} in namespace {namespace}, which the webhook registrations call, doesn't exist.",
      note: "Service is the Kubernetes kind",
    },
    "wrong-target": {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, where no cert-manager runs. Its own install is in namespace {install}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    "not-orphaned": "cert-manager runs, so its registration isn't a leftover: removing it would only hide the fault.",
    restore: "Put the Service back",
    "restore-changes":
      "The manifest of the same version is applied again: the missing Service is created, and changes made by hand to cert-manager's own objects are undone. Certificates and Secrets stay as they are.",
    correct: "Point the registration at its own install again",
    "correct-changes":
      "The manifest of the same version is applied again, with the registration as it belongs to this install. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    see: "See whether the Service has endpoints",
    none: "No registration calls a Service for cert-manager's webhook.",
    orphaned: "The Service is missing, and so is everything else: the registration is a leftover.",
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

    const gone = missing.flatMap((one) => {
      const { ref } = one;
      const own = found.find((install) => install.namespace === ref.namespace);
      if (!own) return [];
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
    const astray = missing.flatMap((one) =>
      one.callers.flatMap((caller) => {
        const { ref } = one;
        const install = installBehind(caller.configuration, { webhooks, installs: found });
        if (!install || install.namespace === ref.namespace) return [];
        const { kind, metadata } = caller.configuration;
        return [
          {
            key: "wrong-target" as const,
            values: { kind, name: metadata.name, service: ref.name, namespace: ref.namespace, install: install.namespace },
            severity: "blocker" as const,
            subject: ref,
            component: "webhook" as const,
            install: ref.namespace,
            evidence: [...callerEvidence({ ...one, callers: [caller] }), { object: ref, path: "metadata", value: null }, ...answerAbout(one)],
            fix: reapply(install, { title: { key: "correct" as const }, changes: { key: "correct-changes" as const } }),
          },
        ];
      }),
    );
    const problems = [...gone, ...astray];
    if (problems.length === 0) return { status: "not-applicable", because: { key: "orphaned" } };
    return { status: "fail", problems, ruledOut: [{ check: "webhook-config-orphaned", key: "not-orphaned" }] };
  },
});
