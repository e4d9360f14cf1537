import { installs } from "../derive/installs.ts";
import { probeEvidence } from "../derive/probe-evidence.ts";
import { isAnswered, probeCall, targetOf } from "../derive/webhook-call.ts";
import { restart } from "../kube/commands.ts";
import { isNormalAtStart } from "../kube/webhook-failure.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

export default defineCheck({
  id: "probe-flaky",
  area: "api-probe",
  severity: "degraded",
  needs: ["apiProbe"],
  uses: ["deployments"],
  causedBy: [
    "webhook-connection-refused",
    "webhook-io-timeout",
    "webhook-no-route",
    "webhook-dns-failure",
    "webhook-context-deadline",
    "webhook-tls-handshake-timeout",
    "webhook-request-canceled",
    "webhook-connection-reset",
    "webhook-no-endpoints",
    "pod-crashloop",
    "pod-oomkilled",
    "webhook-payload-errors",
  ],
  sources: ["catalogue 1.11 probe-flaky", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Webhook that answers some calls and not others",
    headline: "*Some requests for cert-manager's kinds fail and others get through,* because only some calls to the webhook are answered.",
    why: "Of two requests that the API server was asked to try at the same moment, one came back from the webhook and the other failed on the way. cert-manager tries again, so certificates come late; what doesn't try again, such as an installer, fails now and then.",
    ignore: "While the webhook's pods are being replaced this is normal.",
    replicas: {
      text: "One call to {target} was answered and the other failed. {count} pods stand behind it: most likely one of them, or the way to its node, is what fails.",
      note: "{target} is namespace/service; count is always more than one",
    },
    single: {
      text: "One call to {target} was answered and the other failed. A single pod stands behind it: most likely the way there differs between the nodes of the control plane, or the pod is short of CPU.",
      note: "{target} is namespace/service",
    },
    same: "Both requests need the same webhook, and both were sent at the same moment.",
    repeat: "Ask ten times and count: what isn't a refusal about a PEM block has failed",
    pods: "See which nodes the webhook's pods are on, and whether they restart",
    restart: "Replace the webhook's pods",
    "restart-changes": "New webhook pods replace the old ones, one after the other. Nothing is lost: they keep no state but the CA Secret, which stays.",
    refused: "No call to the webhook failed while another was answered.",
    certificate: "The failed call was refused for its certificate, which is checked for new connections only: that is no matter of chance.",
  },
  run({ apiProbe, deployments }) {
    const made = probeCall(apiProbe);
    const { valid, invalid, namespace } = apiProbe;
    if (made.outcome !== "failed" || !invalid) return { status: "not-applicable", because: { key: "refused" } };
    const answered = [valid, invalid].find(isAnswered);
    if (!answered) return { status: "not-applicable", because: { key: "refused" } };
    if (/x509: /.test(made.call.reason)) return { status: "not-applicable", because: { key: "certificate" } };
    const called = made.call.namespace ?? "";
    const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === called && one.components.webhook);
    const webhook = install?.components.webhook;
    const count = webhook?.status?.readyReplicas ?? 1;
    const words = answered.accepted ? `accepted with spec.username: "${answered.username}"` : answered.message;
    return {
      status: "fail",
      problems: [
        {
          key: count > 1 ? "replicas" : "single",
          values: { target: targetOf(made.call), count },
          severity: "degraded",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          transient: isNormalAtStart(made.call.reason),
          evidence: [made.evidence, probeEvidence({ apiProbe }, words)],
          fix: [
            { title: { key: "repeat" }, for: "kubectl", command: askTenTimes(namespace), effect: "none" },
            ...(webhook
              ? [
                  {
                    title: { key: "pods" as const },
                    for: "kubectl" as const,
                    command: `kubectl -n ${called} get pods -l app.kubernetes.io/component=webhook -o wide`,
                    effect: "none" as const,
                  },
                  {
                    title: { key: "restart" as const },
                    for: "kubectl" as const,
                    command: restart(called, webhook.metadata.name),
                    effect: "cluster" as const,
                    changes: { key: "restart-changes" as const },
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "same" }],
    };
  },
});

function askTenTimes(namespace: string): string {
  const object = `{"apiVersion":"cert-manager.io/v1","kind":"CertificateRequest","metadata":{"generateName":"certmedic-probe-","namespace":"${namespace}"},"spec":{"request":"bm90IGEgY2VydGlmaWNhdGUgcmVxdWVzdA==","issuerRef":{"name":"certmedic-probe"}}}`;
  return `for i in 1 2 3 4 5 6 7 8 9 10; do kubectl create --dry-run=server -f - <<<'${object}' 2>&1 | tail -1; done`;
}
