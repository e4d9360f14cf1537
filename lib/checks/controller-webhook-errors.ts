import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { readWebhookCall, type WebhookCall } from "../kube/error-text.ts";
import { logTime } from "../kube/log-time.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { ContainerLog } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

const failing = /re-queuing item due to error processing.*failed calling (?:admission )?webhook/;
/** The controller waits up to five minutes, and longer for some kinds, before it tries again. */
const recently = 10 * 60 * 1000;

export default defineCheck({
  id: "controller-webhook-errors",
  area: "controller",
  severity: "degraded",
  needs: ["deployments", "pods", "logs"],
  uses: ["apiProbe", "reportedErrors"],
  causedBy: [
    "api-probe-failing",
    "ca-bundle-empty",
    "ca-bundle-mismatch",
    "ca-bundle-malformed",
    "webhook-ca-expired",
    "webhook-service-missing",
    "webhook-config-orphaned",
    "webhook-config-wrong-target",
    "webhook-no-endpoints",
    "webhook-connection-refused",
    "webhook-io-timeout",
    "serving-cert-is-kubelet",
  ],
  sources: ["catalogue 1.10 controller-webhook-errors"],
  strings: {
    title: "Controller failing because of a webhook",
    headline: "*Certificates aren't issued or renewed,* because the API server can't call the webhook that has to see what the controller writes.",
    why: "Everything that the controller writes passes the admission webhooks of the API server, like what a person applies. It tries again by itself, so nothing is lost once the webhook answers.",
    ignore: "Single errors while a webhook restarts are made up for by the next attempt.",
    ours: "{name} in namespace {namespace} can't write cert-manager's objects: calls to cert-manager's own webhook fail.",
    other: {
      text: "{name} in namespace {namespace} can't write what it has to: calls to the webhook `{hook}`, which isn't cert-manager's, fail.",
      note: "{hook} is the name of a webhook",
    },
    "not-fixed": "The API check, just now, doesn't show that the webhook answers again.",
    "not-rights": "It is a webhook that failed; the API server didn't refuse the controller itself.",
    verify: "See whether it still fails",
    whose: "See whose webhook that is",
    none: "No controller of cert-manager is here.",
  },
  run({ deployments, pods, logs, apiProbe, reportedErrors }, now) {
    const found = installs({ deployments }).flatMap((install) => {
      const { controller } = install.components;
      return controller ? [{ install, controller, told: failures(logs, componentPods({ pods }, install, "controller"), now) }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const answers = webhookCall({ apiProbe, reportedErrors }).outcome === "answered";
    const problems = found.flatMap(({ install: { namespace }, controller, told }) => {
      const { name } = controller.metadata;
      const subject = { kind: "Deployment", namespace, name };
      const verify = {
        title: { key: "verify" as const },
        for: "kubectl" as const,
        command: `kubectl -n ${namespace} logs deployment/${name} --since=5m | grep 'failed calling webhook'`,
        effect: "none" as const,
      };
      const whose = {
        title: { key: "whose" as const },
        for: "kubectl" as const,
        command:
          "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='NAME:.metadata.name,WEBHOOKS:.webhooks[*].name,SERVICES:.webhooks[*].clientConfig.service.name'",
        effect: "none" as const,
      };
      const ours = told.filter(({ call }) => call.ours);
      const others = new Map(told.filter(({ call }) => !call.ours).map((one) => [one.call.hook, one]));
      const about = { severity: "degraded" as const, subject, install: namespace, transient: true };
      return [
        ...(ours.length > 0 && !answers
          ? [{ ...about, key: "ours" as const, values: { name, namespace, hook: "" }, evidence: ours.slice(-2).map(({ evidence }) => evidence), fix: [verify] }]
          : []),
        ...[...others.values()].map(({ call, evidence }) => ({
          ...about,
          key: "other" as const,
          component: "controller" as const,
          values: { name, namespace, hook: call.hook },
          evidence: [evidence],
          fix: [whose, verify],
        })),
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      because: problems.some(({ key }) => key === "ours") ? [{ key: "not-fixed" }] : [],
      ruledOut: [{ check: "controller-rbac-forbidden", key: "not-rights" }],
    };
  },
});

/** The failed calls that the controller told of in the last minutes, oldest first. */
function failures(logs: readonly ContainerLog[], pods: readonly Pod[], now: Date): readonly { call: WebhookCall; evidence: Evidence }[] {
  return logs.flatMap(({ namespace, pod, container, lines }) => {
    if (!pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) return [];
    return lines.flatMap((value) => {
      const call = failing.test(value) ? readWebhookCall(value) : null;
      const written = call && logTime(value, now);
      if (!call || !written || now.getTime() - written.getTime() > recently) return [];
      return [{ call, evidence: { object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value } }];
    });
  });
}
