import { calledWebhook } from "../derive/called-webhook.ts";
import { claimCall } from "../derive/claim-call.ts";
import { hostNetworkStrings, moveToHostNetwork } from "../derive/host-network.ts";
import { meshInFront, meshStrings } from "../derive/mesh-bypass.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { reachPod } from "../kube/reach-pod.ts";
import { tlsHandshakeLimit } from "../kube/webhook-failure.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import { defineCheck, type Pattern } from "../model/check.ts";

const patterns: readonly Pattern[] = [{ in: "webhook-call", text: /(?<!proxyconnect tcp: )net\/http: TLS handshake timeout/ }];

export default defineCheck({
  id: "webhook-tls-handshake-timeout",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods"],
  causedBy: ["webhook-no-endpoints", "webhook-service-port-mismatch", "apiserver-egress-proxy"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-tls-handshake-timeout",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/2602",
    "https://github.com/cert-manager/cert-manager/issues/2752",
  ],
  strings: {
    title: "TLS handshake with the webhook left hanging",
    headline: "*No Certificate or Issuer can be created or changed,* because connections to cert-manager's webhook are taken and then left without a word.",
    why: "A TCP connection was made, and then nothing came back to the API server's first bytes. Something on the way takes the connection for itself, such as a service mesh or a load balancer; or large packets get lost, because the pod network's MTU is larger than what the nodes' network carries; or the webhook's pod gets hardly any CPU time.",
    ...roleStrings,
    ...meshStrings,
    ...hostNetworkStrings,
    hung: "The API server connected to {target}, and the TLS handshake had no answer after {limit} seconds.",
    connected: "The API server names the stage itself: it had a connection, and no certificate yet.",
    "not-dropped": "A connection was made. Where packets are dropped, there is none.",
    "not-refused": "No certificate came, so none was refused.",
    reach: "Reach the webhook's pod past its Service: any answer, also “not found”, means that the pod itself shakes hands",
    busy: "See whether the webhook's pods get CPU time",
    mtu: "See which MTU the pod network has: it must be smaller than the nodes', by its tunnel's overhead",
    unseen: "The API server didn't get as far as a TLS handshake with cert-manager's webhook.",
  },
  run({ apiProbe, reportedErrors, deployments, pods }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "connected", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const called = calledWebhook(call, { deployments, pods });
    const mesh = meshInFront(called);
    const [pod] = called.pods;
    const look = (key: "reach" | "busy" | "mtu", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
    return {
      status: "fail",
      problems: [
        {
          key: "hung",
          values: { target: targetOf(call), limit: tlsHandshakeLimit },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...mesh.evidence],
          fix: [
            ...mesh.fix,
            ...(pod ? [look("reach", reachPod(pod, declaredPort(called.webhook) ?? kubeletPort))] : []),
            ...(call.namespace ? [look("busy", `kubectl -n ${call.namespace} top pods -l app.kubernetes.io/component=webhook`)] : []),
            look("mtu", "kubectl get configmaps --all-namespaces -o yaml | grep -i mtu"),
            ...moveToHostNetwork(called),
          ],
        },
      ],
      because: [{ key: "connected" }, ...mesh.because, ...roleOf(call)],
      ruledOut: [
        { check: "webhook-io-timeout", key: "not-dropped" },
        { check: "ca-bundle-mismatch", key: "not-refused" },
      ],
    };
  },
});
