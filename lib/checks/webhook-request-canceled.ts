import { calledWebhook } from "../derive/called-webhook.ts";
import { claimCall, failsNowAndThen } from "../derive/claim-call.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { restart } from "../kube/commands.ts";
import { defineCheck, type Pattern } from "../model/check.ts";

// While it waits for a connection is another matter (webhook-io-timeout).
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: /net\/http: (?:request canceled(?! while waiting for connection)|timeout awaiting response headers)/ },
];

export default defineCheck({
  id: "webhook-request-canceled",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods"],
  causedBy: ["webhook-no-endpoints", "pod-oomkilled"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-request-canceled",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://cert-manager.io/docs/releases/release-notes/release-notes-1.21/",
  ],
  strings: {
    title: "Calls that the webhook takes and doesn't answer in time",
    headline: "*No Certificate or Issuer can be created or changed,* because cert-manager's webhook takes calls and doesn't answer them in time.",
    sometimes: "*Some requests for cert-manager's kinds fail,* because its webhook doesn't answer every call in time.",
    why: "Connection and TLS handshake were done, and then the webhook said nothing until the call's time was over. It mostly waits for the API server itself, which it asks whether a requester may approve a certificate. Or it gets hardly any CPU time. Before version 1.21 it also asks again and again for the API server's kinds where a request names an issuer of a kind that isn't installed.",
    ignore: "A single one during an upgrade of the control plane is over by itself.",
    ...roleStrings,
    unanswered: "cert-manager's webhook at {target} took the API server's call and didn't answer before its time was over.",
    "not-dropped": "The call was sent. Where packets are dropped, there isn't even a connection.",
    logs: "Read what the webhook waits for",
    busy: "See whether the webhook's pods get CPU time",
    throttled: "See whether the API server makes requests wait",
    restart: "Start the webhook again",
    "restart-changes": "A new webhook pod replaces the old one. Nothing is lost: it keeps no state but its CA Secret, which stays.",
    unseen: "The API server's call didn't get as far as the webhook's answer.",
  },
  run({ apiProbe, reportedErrors, deployments, pods }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "connected", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const { install, webhook } = calledWebhook(call, { deployments, pods });
    const sometimes = failsNowAndThen(made, apiProbe);
    const look = (key: "logs" | "busy" | "throttled", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
    return {
      status: "fail",
      problems: [
        {
          key: "unanswered",
          values: { target: targetOf(call) },
          severity: sometimes ? "degraded" : "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence],
          fix: [
            ...(call.namespace
              ? [
                  look("logs", `kubectl -n ${call.namespace} logs -l app.kubernetes.io/component=webhook --tail=100 --prefix`),
                  look("busy", `kubectl -n ${call.namespace} top pods -l app.kubernetes.io/component=webhook`),
                ]
              : []),
            look("throttled", "kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels"),
            ...(install && webhook
              ? [
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
      ...(sometimes ? { headline: { key: "sometimes" as const } } : {}),
      because: roleOf(call),
      ruledOut: [{ check: "webhook-io-timeout", key: "not-dropped" }],
    };
  },
});
