import { registrationRef } from "../derive/called-services.ts";
import { calledWebhook } from "../derive/called-webhook.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { setValues } from "../kube/chart-values.ts";
import { patchRegistration } from "../kube/patch-registration.ts";
import { reachPod } from "../kube/reach-pod.ts";
import { isReady } from "../kube/readiness.ts";
import { hasReached, outlastsHandshake, ranOutOfTime, tlsHandshakeLimit } from "../kube/webhook-failure.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

/** Seconds: as long as a webhook may be given, and what cert-manager's manifests give theirs since 1.14. */
const longestTimeout = 30;

export default defineCheck({
  id: "webhook-context-deadline",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods", "webhooks"],
  causedBy: [
    "webhook-no-endpoints",
    "webhook-service-port-mismatch",
    "networkpolicy-blocks-webhook",
    "konnectivity-broken",
    "apiserver-egress-proxy",
    "gke-private-firewall",
    "eks-custom-cni",
    "eks-security-group",
    "overlay-firewall",
    "service-vip-unreachable-from-control-plane",
  ],
  patterns: [{ in: "webhook-call", text: ranOutOfTime }],
  sources: [
    "catalogue 1.8 webhook-context-deadline",
    "catalogue 0.5, row 15",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/2319",
    "https://github.com/cert-manager/cert-manager/issues/5189",
  ],
  strings: {
    title: "Calls to the webhook out of time",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server's calls to cert-manager's webhook end before there is an answer.",
    why: "The time limit of a call covers everything: looking up the address, connecting, the TLS handshake, and the webhook's own work. The API server doesn't say which of them took so long. With a limit of 30 seconds it mostly does, because connecting and shaking hands have limits of their own.",
    ...roleStrings,
    short:
      "The API server's call to {target} had no answer after {seconds} seconds, which is the registration's time limit. Dropped packets, a TLS handshake that hangs and a busy webhook all look like this.",
    unready: "The API server's call to {target} had no answer after {seconds} seconds, and the webhook isn't known to be ready.",
    unlimited: "The API server's call to {target} had no answer in time.",
    "was-ready": "The webhook's pods are ready, so the way to them is the likely place of the fault.",
    "not-refused": "A refused connection is answered at once.",
    raise: "Give the calls 30 seconds, so that the API server can say more",
    "raise-changes":
      "Both webhook registrations get `timeoutSeconds: 30`, which is the default since version 1.14. Calls that fail then take longer to do so, and say whether connecting or the handshake failed.",
    "raise-undo": "The same step with {seconds} seconds takes it back.",
    again: "Ask again, and read what the API server says then",
    reach: "Reach the webhook's pod past its Service: any answer, also “not found”, means that the way to the pod is open",
    pods: "See whether the webhook's pods run, and where",
    "no-call": "The API check doesn't tell how long a call to the webhook takes.",
    dropped: "The call lasted longer than a TLS handshake may, and the webhook is ready: no connection was made.",
  },
  run({ apiProbe, reportedErrors, deployments, pods, webhooks }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called" || made.call.purpose === "conversion") return { status: "not-applicable", because: { key: "no-call" } };
    const { call } = made;
    if (!ranOutOfTime.test(call.reason)) {
      return hasReached(call.reason, "dialing") ? { status: "pass" } : { status: "not-applicable", because: { key: "no-call" } };
    }
    const { install, webhook, pods: running } = calledWebhook(call, { deployments, pods });
    const ready = webhook !== undefined && isReady(webhook);
    if (ready && outlastsHandshake(call)) return { status: "not-applicable", because: { key: "dropped" } };
    const seconds = call.timeoutSeconds;
    const callers = (knownValue(webhooks) ?? []).flatMap(({ configuration }) =>
      (configuration.webhooks ?? []).flatMap(({ clientConfig, timeoutSeconds: limit }, index) =>
        clientConfig?.service && clientConfig.service.name === call.service && limit !== undefined ? [{ configuration, index, limit }] : [],
      ),
    );
    const evidence: readonly Evidence[] = callers.map(({ configuration, index, limit }) => ({
      object: registrationRef(configuration),
      path: `webhooks[${index}].timeoutSeconds`,
      value: String(limit),
    }));
    const look = (key: "again" | "reach" | "pods", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
    const [pod] = running;
    const raise =
      install && callers.length > 0 && seconds !== undefined && seconds < longestTimeout
        ? [
            ...setValues(
              install,
              {
                title: { key: "raise" as const },
                changes: { key: "raise-changes" as const },
                undo: { key: "raise-undo" as const, values: { seconds } },
              },
              { webhook: { timeoutSeconds: longestTimeout } },
              callers
                .map(({ configuration, index }) => patchRegistration(configuration, index, [{ op: "add", field: "timeoutSeconds", value: longestTimeout }]))
                .join("\n"),
            ),
            look("again", "npx certmedic check"),
          ]
        : [];
    return {
      status: "fail",
      problems: [
        {
          key: seconds === undefined ? "unlimited" : seconds > tlsHandshakeLimit ? "unready" : "short",
          values: { target: targetOf(call), seconds: seconds ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...evidence],
          fix: [
            ...raise,
            ...(pod ? [look("reach", reachPod(pod, declaredPort(webhook) ?? kubeletPort))] : []),
            ...(call.namespace ? [look("pods", `kubectl -n ${call.namespace} get pods -l app.kubernetes.io/component=webhook -o wide`)] : []),
          ],
        },
      ],
      because: [...(ready ? [{ key: "was-ready" as const }] : []), ...roleOf(call)],
      ruledOut: [{ check: "webhook-connection-refused", key: "not-refused" }],
    };
  },
});
