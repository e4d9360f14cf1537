import { installs } from "../derive/installs.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { matchesAny } from "../kube/error-text.ts";
import { isReady } from "../kube/readiness.ts";
import { outlastsHandshake, stageOf, tlsHandshakeLimit } from "../kube/webhook-failure.ts";
import { allowWebhook, policyName } from "../kube/webhook-policy.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const timedOut = /(?<!proxyconnect tcp: )dial tcp (?<address>[\d.]+:\d+|\[[\da-f:]+\]:\d+): (?:i\/o timeout|connect: connection timed out)/;
// A dial and a call of 30 s end together: which of the two is told of is chance.
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: timedOut },
  { in: "webhook-call", text: /request canceled while waiting for connection/ },
];

export default defineCheck({
  id: "webhook-io-timeout",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments"],
  causedBy: [
    "webhook-no-endpoints",
    "webhook-service-port-mismatch",
    "networkpolicy-blocks-webhook",
    "konnectivity-broken",
    "gke-private-firewall",
    "eks-custom-cni",
    "eks-security-group",
    "overlay-firewall",
    "service-vip-unreachable-from-control-plane",
  ],
  patterns,
  sources: [
    "catalogue 1.8 webhook-io-timeout",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/2811",
  ],
  strings: {
    title: "Calls to the webhook dropped on the way",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server's calls never arrive at cert-manager's webhook.",
    why: "A connection that is neither accepted nor refused was dropped between the control plane and the webhook's pod: by a firewall or security group, a NetworkPolicy, or a pod network that the control plane isn't part of. cert-manager itself can be in perfect order.",
    dropped: "The API server's call to {target} got no answer from {address}.",
    unconnected: "The API server waited {seconds} seconds for a connection to {target} and got none.",
    unanswered:
      "The API server's call to {target} got no answer in {seconds} seconds. A TLS handshake that hangs ends after {limit}, so most likely no connection was made.",
    ready: "The webhook's pods are ready, so the fault lies on the way to them.",
    "not-refused": "A refused connection is answered at once; here nothing came back.",
    "has-endpoints": "The webhook's pods are ready, and the API server dialed an address.",
    policies: "See whether a NetworkPolicy selects the webhook's pods",
    allow: "If one does: let calls in beside it",
    "allow-changes":
      "Policies add up, so a NetworkPolicy is added that lets every address reach the ports of the webhook's pods. Policies of Calico's or Cilium's own kinds are not overruled by it.",
    "allow-undo": "`kubectl delete networkpolicy {policy}` in namespace {namespace}.",
    nodes: "Compare the webhook's node with the control plane's",
    unclear: "The API check doesn't tell whether connections to the webhook are dropped.",
  },
  run({ apiProbe, reportedErrors, deployments }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called") return { status: "not-applicable", because: { key: "unclear" } };
    const { call, message } = made;
    const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === call.namespace && one.components.webhook);
    const webhook = install?.components.webhook;
    const ready = webhook !== undefined && isReady(webhook);
    // Within the handshake's limit a drop reads like any other delay.
    const outlasted = ready && outlastsHandshake(call);
    if (!outlasted && !matchesAny(message, patterns)) {
      const stage = stageOf(call.reason);
      return stage === "unrouted" || stage === "unclear" ? { status: "not-applicable", because: { key: "unclear" } } : { status: "pass" };
    }
    const namespace = call.namespace ?? install?.namespace;
    const address = timedOut.exec(call.reason)?.groups?.address;
    const policies = [
      ...(namespace
        ? [
            {
              title: { key: "policies" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} get networkpolicies -o custom-columns='NAME:.metadata.name,PODS:.spec.podSelector,TYPES:.spec.policyTypes,INGRESS:.spec.ingress'`,
              effect: "none" as const,
            },
          ]
        : []),
      ...(webhook && namespace && !webhook.spec.template.spec.hostNetwork
        ? [
            {
              title: { key: "allow" as const },
              for: "kubectl" as const,
              command: allowWebhook(webhook),
              effect: "cluster" as const,
              changes: { key: "allow-changes" as const },
              undo: { key: "allow-undo" as const, values: { policy: policyName(webhook), namespace } },
            },
          ]
        : []),
    ];
    const nodes = namespace
      ? [
          {
            title: { key: "nodes" as const },
            for: "kubectl" as const,
            command: `kubectl -n ${namespace} get pods -l app.kubernetes.io/component=webhook -o wide && kubectl get nodes -o wide`,
            effect: "none" as const,
          },
        ]
      : [];
    return {
      status: "fail",
      problems: [
        {
          key: outlasted ? "unanswered" : address ? "dropped" : "unconnected",
          values: { target: targetOf(call), address: address ?? "", seconds: call.timeoutSeconds ?? "", limit: tlsHandshakeLimit },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence],
          fix: [...policies, ...nodes],
        },
      ],
      ...(ready ? { because: [{ key: "ready" as const }] } : {}),
      ruledOut: [
        { check: "webhook-connection-refused", key: "not-refused" as const },
        ...(ready ? [{ check: "webhook-no-endpoints", key: "has-endpoints" as const }] : []),
      ],
    };
  },
});
