import { callerEvidence, registrationRef } from "../derive/called-services.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { wrongTargets } from "../derive/wrong-targets.ts";
import { reapply } from "../kube/commands.ts";
import { garblingOf } from "../kube/garbled-name.ts";
import { isAppliedByGitOps } from "../kube/gitops.ts";
import { patchRegistration } from "../kube/patch-registration.ts";
import { defineCheck } from "../model/check.ts";

export default defineCheck({
  id: "webhook-config-garbled-name",
  area: "webhook-registration",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "deployments"],
  uses: ["apiProbe", "reportedErrors"],
  causedBy: [],
  patterns: [{ in: "webhook-call", text: /service "(?<garbled>([a-z][a-z0-9-]{5,60})\2[^"]*|release-name\b[^"]*)" not found/i }],
  sources: [
    "catalogue 1.6 webhook-config-garbled-name",
    "https://github.com/cert-manager/cert-manager/issues/3195",
    "https://github.com/cert-manager/cert-manager/issues/4304",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
  ],
  strings: {
    title: "Webhook registration with a garbled Service name",
    headline: "*No Certificate or Issuer can be created or changed,* because a registration calls a Service whose name went wrong when the manifest was made.",
    why: "Names are put together from the release's name and the chart's. Where a template is rendered without its values, or its output is edited or put together a second time, the registration can get a name that nothing else has.",
    doubled: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}: a part of that name stands twice in a row, and there is no such Service.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    unrendered: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}: that name comes from a template that was rendered without its values, and there is no such Service.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    "not-missing": "The Service isn't lost: none of that name can have been there.",
    relief: "Write the right name into the registration",
    "relief-changes": "The API server calls Service {own} in namespace {namespace} from the next request on. Nothing else changes.",
    "relief-undo": "Patch the old name and namespace back in.",
    correct: "Make all of the manifest anew",
    "correct-changes":
      "The manifest of the same version is rendered and applied again, with the registration as it belongs to this install. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    others: "See whether other objects have that name too",
    none: "No registration calls cert-manager's webhook.",
  },
  run({ webhooks, webhookServices, deployments, apiProbe, reportedErrors }) {
    if (webhooks.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const made = webhookCall({ apiProbe, reportedErrors });
    const garbled = wrongTargets({ webhooks, webhookServices, deployments }).flatMap((one) => {
      const key = garblingOf(one.ref.name);
      return key && !one.service ? [{ ...one, key }] : [];
    });
    const problems = garbled.map((one) => {
      const { key, configuration, index, ref, service, install, own } = one;
      const { kind, metadata } = configuration;
      const seen = made.outcome === "failed" && made.call.service === ref.name;
      const relief = {
        title: { key: "relief" as const },
        for: "kubectl" as const,
        command: patchRegistration(configuration, index, [
          { op: "replace", field: "clientConfig/service/namespace", value: own.namespace },
          { op: "replace", field: "clientConfig/service/name", value: own.name },
        ]),
        effect: "cluster" as const,
        changes: { key: "relief-changes" as const, values: { own: own.name, namespace: own.namespace } },
        undo: { key: "relief-undo" as const },
      };
      return {
        key,
        values: { kind, name: metadata.name, service: ref.name, namespace: ref.namespace },
        severity: "blocker" as const,
        subject: registrationRef(configuration),
        install: ref.namespace,
        evidence: [
          ...callerEvidence({ ref, service, callers: [{ configuration, index }] }),
          { object: ref, path: "metadata", value: null },
          ...(seen ? [made.evidence] : []),
        ],
        fix: [
          ...(isAppliedByGitOps(configuration) || install.method === "olm" ? [] : [relief]),
          // The manifest mends all entries of an install, so it is told with the first.
          ...(garbled.find((other) => other.install === install) === one
            ? reapply(install, { title: { key: "correct" as const }, changes: { key: "correct-changes" as const } })
            : []),
          {
            title: { key: "others" as const },
            for: "kubectl" as const,
            command: `kubectl get crds,validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml | grep -nF '${ref.name.replaceAll("'", "")}'`,
            effect: "none" as const,
          },
        ],
      };
    });
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, ruledOut: [{ check: "webhook-service-missing", key: "not-missing" }] };
  },
});
