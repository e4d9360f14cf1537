import { calledWebhook } from "../derive/called-webhook.ts";
import { claimCall, failsNowAndThen } from "../derive/claim-call.ts";
import { meshInFront, meshStrings } from "../derive/mesh-bypass.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { restart } from "../kube/commands.ts";
import { defineCheck, type Pattern } from "../model/check.ts";

const tooLarge = /status code 413\b|\blimit reached\b|[Rr]equest entity (?:is )?too large/;
const failed = /^an error on the server \("(?<said>[\s\S]*)"\) has prevented the request from succeeding/;
const stranger =
  /received (?:invalid webhook response|undecodable patch)|expected webhook response of|webhook response was absent|^the server could not find the requested resource|^the server does not allow this method|^the server has asked for the client to provide credentials|^the server rejected our request|^the server responded with the status code (?!413)\d+|malformed HTTP|invalid character '.+' looking for beginning of value/;
const patterns: readonly Pattern[] = [tooLarge, failed, stranger].map((text) => ({ in: "webhook-call", text }));

export default defineCheck({
  id: "webhook-payload-errors",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods"],
  causedBy: ["webhook-service-port-mismatch"],
  patterns,
  sources: [
    "catalogue 1.6 webhook-payload-errors",
    "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#response",
    "https://cert-manager.io/docs/releases/release-notes/release-notes-1.14/",
  ],
  strings: {
    title: "Answers of the webhook that aren't a verdict",
    headline: "*No Certificate or Issuer can be created or changed,* because what comes back from the webhook is an error instead of a verdict.",
    sometimes: "*Some requests for cert-manager's kinds fail,* because what comes back from its webhook is an error instead of a verdict.",
    large: "*A request was refused for its size,* which keeps no other from getting through.",
    why: "The call arrived, and the API server can't use the answer. Either the webhook failed on the request, or somebody else answered in its place: a proxy, an ingress, a mesh or another program on the same port. cert-manager's webhook itself answers in the form that the API server expects, also when it refuses.",
    ...roleStrings,
    ...meshStrings,
    "too-large":
      "The request was larger than the webhook at {target} takes, which is some megabytes since versions 1.12.7, 1.13.3 and 1.14. Only a smaller object gets through.",
    failed: "What stands at {target} answered with an error of its own: `{said}`.",
    stranger: "What stands at {target} answered as cert-manager's webhook doesn't: `{said}`.",
    arrived: "There was an answer, so the way to the webhook's address is open, and the certificate was accepted.",
    "not-dropped": "The call was answered.",
    logs: "See whether the webhook knows of the call",
    endpoints: "See who stands behind the Service",
    restart: "Start the webhook again",
    "restart-changes": "A new webhook pod replaces the old one. Nothing is lost: it keeps no state but its CA Secret, which stays.",
    unseen: "The API server didn't get an answer from the webhook's address.",
  },
  run({ apiProbe, reportedErrors, deployments, pods }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "connected", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const called = calledWebhook(call, { deployments, pods });
    const mesh = meshInFront(called);
    const said = failed.exec(call.reason)?.groups?.said;
    // The API check's own request is small: what finds it too large isn't cert-manager's webhook.
    const isLarge = tooLarge.test(call.reason) && made.from === "reported";
    const sometimes = failsNowAndThen(made, apiProbe);
    const look = (key: "logs" | "endpoints", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
    const again =
      called.install && called.webhook
        ? [
            {
              title: { key: "restart" as const },
              for: "kubectl" as const,
              command: restart(called.install.namespace, called.webhook.metadata.name),
              effect: "cluster" as const,
              changes: { key: "restart-changes" as const },
            },
          ]
        : [];
    return {
      status: "fail",
      problems: [
        {
          key: isLarge ? "too-large" : said === undefined ? "stranger" : "failed",
          values: { target: targetOf(call), said: said || call.reason },
          severity: sometimes ? "degraded" : "blocker",
          subject: made.subject,
          component: "webhook",
          install: called.namespace,
          evidence: [made.evidence, ...mesh.evidence],
          fix: isLarge
            ? []
            : [
                ...mesh.fix,
                ...(called.namespace
                  ? [
                      look(
                        "endpoints",
                        `kubectl -n ${called.namespace} get endpointslices && kubectl -n ${called.namespace} get pods -l app.kubernetes.io/component=webhook -o wide`,
                      ),
                      look("logs", `kubectl -n ${called.namespace} logs -l app.kubernetes.io/component=webhook --tail=100 --prefix`),
                    ]
                  : []),
                ...(said === undefined ? [] : again),
              ],
        },
      ],
      ...(sometimes ? { headline: { key: isLarge ? ("large" as const) : ("sometimes" as const) } } : {}),
      because: [{ key: "arrived" }, ...mesh.because, ...roleOf(call)],
      ruledOut: [{ check: "webhook-io-timeout", key: "not-dropped" }],
    };
  },
});
