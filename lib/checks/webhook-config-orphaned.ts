import { calledServices, callerEvidence, installBehind, isSupplanted, registrationRef } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { applyManifest, forHelm4, helmInstall } from "../kube/commands.ts";
import { methodOf } from "../kube/install.ts";
import { defineCheck } from "../model/check.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

export default defineCheck({
  id: "webhook-config-orphaned",
  area: "cleanup",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "deployments"],
  uses: ["apiProbe", "reportedErrors"],
  causedBy: [],
  sources: ["catalogue 1.6 webhook-config-orphaned", "https://cert-manager.io/docs/installation/kubectl/"],
  strings: {
    title: "Webhook registration left behind",
    headline: "*No Certificate or Issuer can be created or changed,* because a registration calls a webhook that isn't there any more.",
    why: "Webhook registrations belong to the whole cluster, so they stay when only the namespace of cert-manager is deleted. The API server goes on calling them. Restores, other operators and even the removal of a finalizer fail with them.",
    supplanted: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, which doesn't exist. The cert-manager that runs there has a registration of its own.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    orphaned: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, which doesn't exist, and no cert-manager runs there.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    sure: "No install of cert-manager has the Service that the registration calls, and none needs the registration: it isn't there, or it has its own.",
    "not-service": "With a running cert-manager only its Service would be missing. Here nothing is left that a Service could lead to.",
    remove: "Remove the registration",
    "remove-changes":
      "The API server stops calling the webhook that is gone, and requests go through again. No Certificate, Issuer or Secret is touched. Until cert-manager is installed again nothing validates its objects.",
    "remove-undo": "Installing cert-manager creates the registration again.",
    reinstall: "Or install cert-manager again",
    "reinstall-changes": "A whole cert-manager is installed. Its webhook then answers the calls, and its controller works on every Certificate that is stored.",
    "reinstall-undo": "Uninstalling removes its components and registrations again. Keep the CRDs: deleting them deletes every Certificate.",
    none: "No registration calls a Service for cert-manager's webhook.",
  },
  run({ webhooks, webhookServices, deployments, apiProbe, reportedErrors }) {
    const called = calledServices({ webhooks, webhookServices });
    if (called.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const found = installs({ deployments });
    const failed = webhookCall({ apiProbe, reportedErrors });
    const problems = called
      .filter(({ service }) => service === null)
      .flatMap((one) => {
        const configurations = [...new Set(one.callers.map((caller) => caller.configuration))];
        return configurations
          .map((configuration) => ({ configuration, install: installBehind(configuration, { webhooks, installs: found }) }))
          .filter(({ configuration, install }) => !install || isSupplanted(configuration, install, webhooks))
          .map(({ configuration, install }) => {
            const { kind, metadata } = configuration;
            const callers = one.callers.filter((caller) => caller.configuration === configuration);
            const blocks = callers.some(({ index }) => configuration.webhooks?.[index]?.failurePolicy !== "Ignore");
            const seen = failed.outcome === "failed" && failed.call.service === one.ref.name && failed.call.namespace === one.ref.namespace;
            return {
              key: install ? ("supplanted" as const) : ("orphaned" as const),
              values: { kind, name: metadata.name, service: one.ref.name, namespace: one.ref.namespace },
              severity: blocks ? ("blocker" as const) : ("warning" as const),
              subject: registrationRef(configuration),
              install: one.ref.namespace,
              evidence: [...callerEvidence({ ...one, callers }), { object: one.ref, path: "metadata", value: null }, ...(seen ? [failed.evidence] : [])],
              fix: [
                {
                  title: { key: "remove" as const },
                  for: "kubectl" as const,
                  command: `kubectl delete ${kind.toLowerCase()} ${metadata.name}`,
                  effect: "cluster" as const,
                  changes: { key: "remove-changes" as const },
                  undo: { key: "remove-undo" as const },
                },
                ...(found.length > 0 ? [] : reinstall(configuration, one.ref.namespace)),
              ],
            };
          });
      });
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, because: [{ key: "sure" }], ruledOut: [{ check: "webhook-service-missing", key: "not-service" }] };
  },
});

/** The install that the leftover came from, made again by the same tool; another tool would stumble over what else is left. */
function reinstall(configuration: WebhookConfiguration, namespace: string) {
  const { labels = {}, annotations = {} } = configuration.metadata;
  const step = {
    title: { key: "reinstall" as const },
    effect: "cluster" as const,
    changes: { key: "reinstall-changes" as const },
    undo: { key: "reinstall-undo" as const },
    instead: true,
  };
  const method = methodOf(configuration);
  if (method === "helm") return [{ ...step, for: "helm" as const, command: helmInstall(annotations["meta.helm.sh/release-name"], namespace, forHelm4) }];
  const published = method === "static" && namespace === "cert-manager" && labels["app.kubernetes.io/instance"] === "cert-manager";
  return published ? [{ ...step, for: "kubectl" as const, command: applyManifest(labels["app.kubernetes.io/version"] ?? "") }] : [];
}
