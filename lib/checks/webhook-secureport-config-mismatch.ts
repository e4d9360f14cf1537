import { installs } from "../derive/installs.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { type Install, mainContainer, webhookServiceOf } from "../kube/install.ts";
import { declaredPort, declaredPortPath, listeningPort, listeningPortPath, movePort } from "../kube/webhook-port.ts";
import { defineCheck } from "../model/check.ts";
import { type Fact, knownValue, type Lookup } from "../model/facts.ts";
import type { Deployment, Service } from "../model/kubernetes.ts";

/** Where the webhook listens without flag and configuration file; the chart's own default is 10250. */
const binaryDefault = 6443;

export default defineCheck({
  id: "webhook-secureport-config-mismatch",
  area: "pods",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhookServices", "apiProbe", "reportedErrors"],
  causedBy: [],
  sources: [
    "catalogue 1.3 webhook-secureport-config-mismatch",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/2736",
  ],
  strings: {
    title: "Webhook listening on another port than declared",
    headline: "*No Certificate or Issuer can be created or changed,* because cert-manager's webhook listens on another port than its Service leads to.",
    why: "The Service leads to the port that the webhook's container calls `https`; where the webhook really listens, its flag `--secure-port` or its configuration file says. The readiness probe asks yet another port, so the pod looks ready.",
    apart: "The webhook {name} listens on port {listening}, and its container declares {declared} as `https`, which is where the Service leads.",
    refused: "The API server's call to {target} was refused, as it is where nobody listens.",
    same: "Give both ports the same number",
    "same-changes": "The webhook's pods are replaced by new ones that listen on port {port} and declare it, so that the Service leads to it again.",
    "same-undo": "`kubectl rollout undo` of the webhook's Deployment brings back the pods that refuse.",
    logs: "See which port the webhook listens on",
    none: "No webhook says in its Deployment which port it listens on: a configuration file may.",
  },
  run({ deployments, webhookServices, apiProbe, reportedErrors }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    const refused = made.outcome === "failed" && made.call.reason.includes("connection refused");
    const told = installs({ deployments }).flatMap((install) => {
      const { webhook } = install.components;
      const listening = webhook && (listeningPort(webhook) ?? (refused ? unsaidPort(webhook) : undefined));
      return webhook && listening ? [{ install, webhook, listening }] : [];
    });
    if (told.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const apart = told.filter(({ install, webhook, listening }) => {
      const answered = made.outcome === "answered" && told.length === 1;
      return !answered && leadsElsewhere(install, webhook, listening, webhookServices);
    });
    if (apart.length === 0) return { status: "pass" };
    const problems = apart.map(({ install, webhook, listening }) => {
      const { name, namespace = "" } = webhook.metadata;
      const subject = { kind: "Deployment", namespace, name };
      const declared = declaredPort(webhook);
      const flag = listeningPort(webhook);
      return {
        key: "apart" as const,
        values: { name, listening, declared: declared ?? "" },
        severity: "blocker" as const,
        subject,
        component: "webhook" as const,
        install: namespace,
        evidence: [
          { object: subject, path: listeningPortPath(webhook), value: flag === undefined ? null : `--secure-port=${flag}` },
          { object: subject, path: declaredPortPath(webhook), value: declared === undefined ? null : String(declared) },
        ],
        fix: [
          ...setValues(
            install,
            {
              title: { key: "same" as const },
              changes: { key: "same-changes" as const, values: { port: listening } },
              undo: { key: "same-undo" as const },
            },
            { webhook: { securePort: listening } },
            movePort(webhook, listening),
          ),
          {
            title: { key: "logs" as const },
            for: "kubectl" as const,
            command: `kubectl -n ${namespace} logs deployment/${name} | grep "listening for"`,
            effect: "none" as const,
          },
        ],
      };
    });
    return { status: "fail", problems, because: refused ? [{ key: "refused", values: { target: targetOf(made.call) } }] : [] };
  },
});

/** Where a webhook listens that no flag tells where to; undefined where a configuration file may. */
function unsaidPort(webhook: Deployment): number | undefined {
  const { args } = mainContainer(webhook) ?? {};
  return !args || args.some((arg) => arg.startsWith("--config")) ? undefined : binaryDefault;
}

/** Whether the Service leads to another port than the one that the webhook listens on. */
function leadsElsewhere(install: Install, webhook: Deployment, listening: number, services: Fact<readonly Lookup<Service>[]>): boolean {
  const own = webhookServiceOf(install);
  const service = knownValue(services)?.find(({ ref }) => ref.namespace === own?.namespace && ref.name === own?.name)?.object;
  const target = service?.spec?.ports?.find(({ name, port }) => name === "https" || port === 443)?.targetPort;
  const declared = declaredPort(webhook);
  // A Service that leads to yet another number is to blame itself (webhook-service-port-mismatch).
  if (typeof target === "number" && target !== declared) return false;
  return declared !== undefined && declared !== listening;
}
