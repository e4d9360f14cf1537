import { calledWebhook } from "../derive/called-webhook.ts";
import { claimCall } from "../derive/claim-call.ts";
import { hostNetworkStrings, moveToHostNetwork } from "../derive/host-network.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { reachPod } from "../kube/reach-pod.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";

const unroutable = /(?<!proxyconnect tcp: )dial tcp (?<address>\S+): connect: (?<answer>no route to host|network is unreachable|host is down)/;
const patterns: readonly Pattern[] = [{ in: "webhook-call", text: unroutable }];

export default defineCheck({
  id: "webhook-no-route",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods"],
  causedBy: [
    "webhook-no-endpoints",
    "webhook-service-port-mismatch",
    "networkpolicy-blocks-webhook",
    "overlay-firewall",
    "eks-custom-cni",
    "eks-security-group",
    "gke-private-firewall",
    "service-vip-unreachable-from-control-plane",
  ],
  patterns,
  sources: [
    "catalogue 1.8 overlay-firewall / webhook-no-route",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/3977",
    "https://github.com/cert-manager/cert-manager/issues/2811",
  ],
  strings: {
    title: "No route to the webhook",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server's machine has no way to the address of cert-manager's webhook.",
    why: "A router or a firewall on the way, or the machine's own routing table, said that the address can't be reached. Mostly a host firewall such as firewalld turns away the pod network's packets, or the tunnel between the nodes (VXLAN, Geneve, WireGuard) is closed. Control plane and webhook then stand on different nodes.",
    ...roleStrings,
    ...hostNetworkStrings,
    unroutable: "The API server's call to {target} ended with `{answer}` at {address}.",
    "not-dropped": "An answer came back. Where packets are dropped, there is none.",
    "not-refused": "Nobody was there to refuse the connection.",
    nodes: "Compare the webhook's node with the control plane's",
    network: "See whether the pod network's own pods run on both",
    reach: "Reach the webhook's pod past its Service: any answer, also “not found”, means that only the Service's address isn't routed",
    unseen: "The API server didn't try to connect to cert-manager's webhook, or doesn't say what became of it.",
  },
  run({ apiProbe, reportedErrors, deployments, pods }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "dialing", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const called = calledWebhook(call, { deployments, pods });
    const { address = "", answer = "" } = unroutable.exec(call.reason)?.groups ?? {};
    const [pod] = called.pods;
    const places: readonly Evidence[] = called.pods.flatMap(({ metadata, spec }) =>
      spec.nodeName ? [{ object: { kind: "Pod", namespace: metadata.namespace, name: metadata.name }, path: "spec.nodeName", value: spec.nodeName }] : [],
    );
    const look = (key: "nodes" | "network" | "reach", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
    return {
      status: "fail",
      problems: [
        {
          key: "unroutable",
          values: { target: targetOf(call), address, answer },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...places],
          fix: [
            ...(call.namespace
              ? [look("nodes", `kubectl -n ${call.namespace} get pods -l app.kubernetes.io/component=webhook -o wide && kubectl get nodes -o wide`)]
              : []),
            look("network", "kubectl get daemonsets --all-namespaces"),
            ...(pod ? [look("reach", reachPod(pod, declaredPort(called.webhook) ?? kubeletPort))] : []),
            ...moveToHostNetwork(called),
          ],
        },
      ],
      because: roleOf(call),
      ruledOut: [
        { check: "webhook-io-timeout", key: "not-dropped" },
        { check: "webhook-connection-refused", key: "not-refused" },
      ],
    };
  },
});
