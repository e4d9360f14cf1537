import { installs } from "../derive/installs.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { unreadyWebhooks } from "../derive/webhook-trouble.ts";
import { setValues } from "../kube/chart-values.ts";
import { type Install, mainContainer } from "../kube/install.ts";
import { healthPort, healthPortPath, probedPort } from "../kube/webhook-port.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";

/** Flags that the chart itself gives the webhook: all others come from `webhook.extraArgs`. */
const charted = /^--(?:v|secure-port|config|feature-gates|tls-\S+?|dynamic-serving-\S+?|api-server-host|kubeconfig|max-log-\S+?)=/;
/** What the log says of its own port. */
const listening = /listening for insecure healthz connections.*address"?=\\?"?(?:\S*?:)?(?<port>\d+)/;

type Key = "same" | "same-changes" | "same-undo" | "look";

export default defineCheck({
  id: "webhook-probe-port-mismatch",
  area: "pods",
  severity: "blocker",
  needs: ["pods", "deployments"],
  uses: ["events", "logs", "webhooks"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: /Readiness probe failed: Get "http:\/\/\S+?:6080\/healthz": dial tcp \S+: connect: connection refused/ }],
  sources: ["catalogue 1.3 webhook-probe-port-mismatch", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Webhook whose health is asked at another port",
    headline: "*A webhook pod doesn't become ready,* because the kubelet asks for its health at a port where nobody listens.",
    why: "The webhook answers health checks on a port of its own, 6080 unless `--healthz-port` or its configuration file says otherwise. The readiness probe asks the container's port called `healthcheck`; when one of them is changed alone, the probe finds nobody, and the Service gets no endpoint.",
    apart: "Pod {name} of the webhook answers health checks on port {answering}, and the kubelet asks on port {asked}.",
    refused: "The kubelet's probe was refused, as it is where nobody listens.",
    same: "Answer where the kubelet asks",
    "same-changes": "The webhook's pods are made anew and answer health checks on port {asked} again.",
    "same-undo": "`kubectl rollout undo` of the webhook's Deployment brings back the pods that don't become ready.",
    look: "See which ports the webhook listens on",
    none: "No webhook of cert-manager is installed.",
  },
  run({ pods, deployments, events, logs, webhooks }) {
    const judged = installs({ deployments }).flatMap((install) => (install.components.webhook ? [{ install, webhook: install.components.webhook }] : []));
    if (judged.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const unready = judged.flatMap(({ install, webhook }) => unreadyWebhooks(install, { pods, events, logs }).map((one) => ({ install, webhook, one })));
    const found = unready.flatMap(({ install, webhook, one }) => {
      const asked = probedPort(webhook);
      const told = healthPort(webhook);
      // A configuration file has the last word, and only the log tells it.
      const line = told ? undefined : one.lines.findLast((text) => listening.test(text));
      const answering = told ?? Number(listening.exec(line ?? "")?.groups?.port);
      return asked && answering && asked !== answering ? [{ install, webhook, one, asked, answering, line }] : [];
    });
    if (found.length === 0) {
      const untold = logs.state === "missing" && unready.some(({ webhook }) => !healthPort(webhook));
      return untold ? { status: "needs", fact: "logs" } : { status: "pass" };
    }
    const problems = found.map(({ install, webhook, one, asked, answering, line }) => {
      const { name, namespace = "" } = one.pod.metadata;
      const subject = { kind: "Pod", namespace, name };
      const deployment = { kind: "Deployment", namespace, name: webhook.metadata.name };
      const flag = mainContainer(webhook)?.args?.findLast((arg) => arg.startsWith("--healthz-port="));
      return {
        key: "apart" as const,
        values: { name, asked, answering },
        severity: severityWithoutPod(one.pod, pods, webhooks),
        subject,
        component: "webhook" as const,
        install: namespace,
        evidence: [
          ...(line ? [{ object: subject, path: `log/${one.container}`, value: line }] : []),
          { object: deployment, path: healthPortPath(webhook), value: flag ?? null },
          ...(one.probe ? [{ object: subject, path: "event/Unhealthy", value: one.probe.message ?? null }] : []),
        ],
        fix: [...(flag ? withoutFlag(install, webhook, asked) : []), look(namespace, webhook.metadata.name)],
      };
    });
    const refused = found.some(({ one }) => /connection refused/.test(one.probe?.message ?? ""));
    return { status: "fail", problems, because: refused ? [{ key: "refused" }] : [] };
  },
});

function withoutFlag(install: Install, webhook: Deployment, asked: number): readonly FixStep<Key>[] {
  const { name, namespace } = webhook.metadata;
  const { containers } = webhook.spec.template.spec;
  const main = mainContainer(webhook);
  const container = main ? containers.indexOf(main) : 0;
  const args = main?.args ?? [];
  const extra = args.filter((arg) => !charted.test(arg) && !arg.startsWith("--healthz-port="));
  const kept = args.filter((arg) => !arg.startsWith("--healthz-port="));
  const patch = [
    { op: "replace", path: `/spec/template/spec/containers/${container}/args`, value: asked === 6080 ? kept : [...kept, `--healthz-port=${asked}`] },
  ];
  const direct = `kubectl -n ${namespace} patch deployment ${name} --type=json -p '${JSON.stringify(patch)}'`;
  const step = {
    title: { key: "same" as const },
    changes: { key: "same-changes" as const, values: { asked } },
    undo: { key: "same-undo" as const },
  };
  const told = asked === 6080 ? extra : [...extra, `--healthz-port=${asked}`];
  return setValues(install, step, { webhook: { extraArgs: told.length > 0 ? told : null } }, direct);
}

function look(namespace: string, name: string): FixStep<Key> {
  return { title: { key: "look" }, for: "kubectl", command: `kubectl -n ${namespace} logs deployment/${name} | grep "listening for"`, effect: "none" };
}
