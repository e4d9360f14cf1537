import { installs } from "../derive/installs.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { restart } from "../kube/commands.ts";
import { matchesAny } from "../kube/error-text.ts";
import { stageOf } from "../kube/webhook-failure.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const refused = /(?<!proxyconnect tcp: )dial tcp (?<address>\S+): connect: connection refused/;
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: refused },
  { in: "anywhere", text: /the cert-manager webhook deployment is not ready yet/ },
];

export default defineCheck({
  id: "webhook-connection-refused",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments"],
  causedBy: ["webhook-no-endpoints", "webhook-service-port-mismatch", "webhook-secureport-config-mismatch", "networkpolicy-blocks-webhook"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-connection-refused",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/2736",
  ],
  strings: {
    title: "Connection to the webhook refused",
    headline: "*No Certificate or Issuer can be created or changed,* because connections to cert-manager's webhook are refused.",
    why: "A refusal comes at once and from the other side: the address is reached, and nobody listens there. Either no webhook is ready behind the Service, or it listens on another port than the one that the Service leads to, or a firewall answers in its place.",
    ignore: "For some seconds after the webhook starts, also after a restart of its only pod, this is normal.",
    refused: "The API server's call to {target} was refused at {address}.",
    "not-dropped": "The refusal came back at once. Where packets are dropped, the call ends in a time-out.",
    endpoints: "See whether a ready webhook stands behind the Service",
    logs: "See which port the webhook listens on",
    restart: "Start the webhook again",
    "restart-changes": "A new webhook pod replaces the old one. Nothing is lost: it keeps no state but its CA Secret, which stays.",
    unseen: "The API server didn't try to connect to cert-manager's webhook.",
  },
  run({ apiProbe, reportedErrors, deployments }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called") return { status: "not-applicable", because: { key: "unseen" } };
    const { call, message } = made;
    if (!matchesAny(message, patterns)) {
      return stageOf(call.reason) === "unrouted" ? { status: "not-applicable", because: { key: "unseen" } } : { status: "pass" };
    }
    const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === call.namespace && one.components.webhook);
    const webhook = install?.components.webhook;
    const look = call.namespace
      ? [
          {
            title: { key: "endpoints" as const },
            for: "kubectl" as const,
            command: `kubectl -n ${call.namespace} get endpointslices -l kubernetes.io/service-name=${call.service} && kubectl -n ${call.namespace} get pods -l app.kubernetes.io/component=webhook -o wide`,
            effect: "none" as const,
          },
        ]
      : [];
    return {
      status: "fail",
      problems: [
        {
          key: "refused",
          values: { target: targetOf(call), address: refused.exec(call.reason)?.groups?.address ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          transient: true,
          evidence: [made.evidence],
          fix: [
            ...look,
            ...(webhook && install
              ? [
                  {
                    title: { key: "logs" as const },
                    for: "kubectl" as const,
                    command: `kubectl -n ${install.namespace} logs deployment/${webhook.metadata.name} | grep "listening for"`,
                    effect: "none" as const,
                  },
                  {
                    title: { key: "restart" as const },
                    for: "kubectl" as const,
                    command: restart(install.namespace, webhook.metadata.name),
                    effect: "cluster" as const,
                    changes: { key: "restart-changes" as const },
                  },
                ]
              : []),
          ],
        },
      ],
      ruledOut: [{ check: "webhook-io-timeout", key: "not-dropped" }],
    };
  },
});
