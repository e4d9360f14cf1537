import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { matchesAny } from "../kube/error-text.ts";
import { platformOf } from "../kube/platform.ts";
import { isReady } from "../kube/readiness.ts";
import { stageOf, tlsHandshakeLimit } from "../kube/webhook-failure.ts";
import { allowWebhook, policyName } from "../kube/webhook-policy.ts";
import { declaredPort, declaredPortPath, freePort, kubeletPort, movePort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const timedOut = /(?<!proxyconnect tcp: )dial tcp (?<address>[\d.]+:\d+|\[[\da-f:]+\]:\d+): (?:i\/o timeout|connect: connection timed out)/;
// A dial and a call of 30 s end together: which of the two is told of is chance.
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: timedOut },
  { in: "webhook-call", text: /request canceled while waiting for connection/ },
];
const outOfTime = /^context deadline exceeded/;

export default defineCheck({
  id: "webhook-io-timeout",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods", "version"],
  causedBy: ["webhook-no-endpoints", "webhook-service-port-mismatch", "networkpolicy-blocks-webhook", "konnectivity-broken"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-io-timeout, networkpolicy-blocks-webhook, overlay-firewall, gke-private-firewall, eks-custom-cni, eks-security-group",
    "catalogue 0.7.9, 0.7.10",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://cert-manager.io/docs/installation/compatibility/",
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
    "gke-port":
      "The API server's call to {target} got no answer. On GKE the likely reason is the webhook's port {port}: private clusters open 443 and 10250 only.",
    ready: "The webhook's pods are ready, so the fault lies on the way to them.",
    "not-refused": "A refused connection is answered at once; here nothing came back.",
    "has-endpoints": "The webhook's pods are ready, and the API server dialed an address.",
    policies: "See whether a NetworkPolicy selects the webhook's pods",
    allow: "If one does: let calls in beside it",
    "allow-changes":
      "Policies add up, so a NetworkPolicy is added that lets every address reach the ports of the webhook's pods. Policies of Calico's or Cilium's own kinds are not overruled by it.",
    "allow-undo": "`kubectl delete networkpolicy {policy}` in namespace {namespace}.",
    nodes: "Compare the webhook's node with the control plane's",
    firewall: "List the firewall rules that let the control plane in",
    "security-groups": "List what the cluster's security groups let in",
    "default-port": "Move the webhook back to the port that GKE opens",
    "default-port-changes": "The webhook's pods are replaced by new ones that listen on port 10250. Calls fail until they are ready, as they do now.",
    "host-network": "Where a CNI of its own keeps the control plane out: put the webhook on the nodes' network",
    "host-network-changes":
      "The webhook's pods are replaced by new ones that listen on port 10260 of their node. The namespace must allow `hostNetwork`, and the nodes' security group port 10260 from the control plane.",
    "default-port-undo": "The same step with port {port} takes it back.",
    "host-network-undo": "The same step with `hostNetwork` false and port {port} takes it back.",
    unclear: "The API check doesn't tell whether connections to the webhook are dropped.",
  },
  run({ apiProbe, reportedErrors, deployments, pods, version }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called") return { status: "not-applicable", because: { key: "unclear" } };
    const { call, message } = made;
    const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === call.namespace && one.components.webhook);
    const webhook = install?.components.webhook;
    const ready = webhook !== undefined && isReady(webhook);
    // Within the handshake's limit a drop reads like any other delay.
    const outlasted = ready && outOfTime.test(call.reason) && (call.timeoutSeconds ?? 0) > tlsHandshakeLimit;
    if (!outlasted && !matchesAny(message, patterns)) {
      const stage = stageOf(call.reason);
      return stage === "unrouted" || stage === "unclear" ? { status: "not-applicable", because: { key: "unclear" } } : { status: "pass" };
    }
    const running = install ? componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook") : [];
    const platform = platformOf(knownValue(version)?.gitVersion ?? "", running);
    const port = declaredPort(webhook);
    const onHost = webhook?.spec.template.spec.hostNetwork === true;
    const oddPort = platform === "gke" && port !== undefined && port !== kubeletPort && port !== 443;
    const namespace = call.namespace ?? install?.namespace;
    const address = timedOut.exec(call.reason)?.groups?.address;
    const evidence: readonly Evidence[] = [
      made.evidence,
      ...(webhook && oddPort
        ? [{ object: { kind: "Deployment", namespace: install?.namespace, name: webhook.metadata.name }, path: declaredPortPath(webhook), value: String(port) }]
        : []),
    ];
    const look = (key: "policies" | "nodes" | "firewall" | "security-groups", command: string) => [
      { title: { key }, for: "kubectl" as const, command, effect: "none" as const },
    ];
    const policies = [
      ...(namespace
        ? look(
            "policies",
            `kubectl -n ${namespace} get networkpolicies -o custom-columns='NAME:.metadata.name,PODS:.spec.podSelector,TYPES:.spec.policyTypes,INGRESS:.spec.ingress'`,
          )
        : []),
      ...(webhook && namespace && !onHost
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
      ? look("nodes", `kubectl -n ${namespace} get pods -l app.kubernetes.io/component=webhook -o wide && kubectl get nodes -o wide`)
      : [];
    const firewall = look(
      "firewall",
      `gcloud compute firewall-rules list --filter='direction=INGRESS AND disabled=false' --format='table(name,network.basename(),sourceRanges.list(),allowed[].map().firewall_rule().list(),denied[].map().firewall_rule().list())'`,
    );
    const groups = look(
      "security-groups",
      `aws ec2 describe-security-groups --filters 'Name=group-name,Values=eks-cluster-sg-*' --query 'SecurityGroups[].{Name:GroupName,In:IpPermissions[].{From:FromPort,To:ToPort,Groups:UserIdGroupPairs[].GroupId,Ranges:IpRanges[].CidrIp}}'`,
    );
    const defaultPort =
      install && webhook && oddPort
        ? setValues(
            install,
            {
              title: { key: "default-port" as const },
              changes: { key: "default-port-changes" as const },
              undo: { key: "default-port-undo" as const, values: { port: port ?? kubeletPort } },
            },
            { webhook: { securePort: kubeletPort } },
            movePort(webhook, kubeletPort),
          )
        : [];
    const hostNetwork =
      install && webhook && platform === "eks" && !onHost
        ? setValues(
            install,
            {
              title: { key: "host-network" as const },
              changes: { key: "host-network-changes" as const },
              undo: { key: "host-network-undo" as const, values: { port: port ?? kubeletPort } },
            },
            { webhook: { hostNetwork: true, securePort: freePort } },
            movePort(webhook, freePort, { hostNetwork: true }),
          )
        : [];
    return {
      status: "fail",
      problems: [
        {
          key: oddPort ? "gke-port" : outlasted ? "unanswered" : address ? "dropped" : "unconnected",
          values: { target: targetOf(call), address: address ?? "", port: port ?? "", seconds: call.timeoutSeconds ?? "", limit: tlsHandshakeLimit },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence,
          fix: {
            gke: [...defaultPort, ...(oddPort ? [] : policies), ...firewall, ...(oddPort ? policies : [])],
            eks: [...policies, ...groups, ...hostNetwork],
            "eks-fargate": [...policies, ...groups],
            other: [...policies, ...nodes],
          }[platform ?? "other"],
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
