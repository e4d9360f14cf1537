import { calledWebhook } from "../derive/called-webhook.ts";
import { policyBlock } from "../derive/policy-block.ts";
import { tunnelOf } from "../derive/tunnel.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { stageOf } from "../kube/webhook-failure.ts";
import { allowWebhook, allowWebhookOnCilium, ciliumPolicyName, policyName } from "../kube/webhook-policy.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** More objects of one kind say nothing new. */
const shown = 5;

export default defineCheck({
  id: "networkpolicy-blocks-webhook",
  area: "webhook-reachability",
  severity: "blocker",
  needs: ["networkPolicies", "pods"],
  uses: ["apiProbe", "reportedErrors", "deployments", "pluginPolicies", "controlPlanePods", "nodes", "daemonSets"],
  causedBy: [],
  sources: [
    "catalogue 1.8 networkpolicy-blocks-webhook",
    "catalogue 0.7.9",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://cert-manager.io/docs/installation/best-practice/",
    "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
    "https://github.com/cert-manager/cert-manager/issues/2334",
  ],
  strings: {
    title: "NetworkPolicy between API server and webhook",
    headline: "*No Certificate or Issuer can be created or changed,* because a NetworkPolicy keeps the API server's calls away from cert-manager's webhook.",
    likely:
      "*No Certificate or Issuer can be created or changed:* calls to cert-manager's webhook are lost, most likely to a network policy that selects its pods.",
    why: "As soon as one policy selects a pod, only what some policy lets in arrives. The API server is no pod: it calls from a host, from a load balancer or through a tunnel, so that rules which let in pods or namespaces don't let it in.",
    closed: "NetworkPolicy {policy} selects the webhook's pods, and no policy lets anybody in at port {port} from where the API server calls.",
    "pods-only": "NetworkPolicy {policy} selects the webhook's pods, and at port {port} only certain pods are let in. The API server isn't one of them.",
    "not-nodes":
      "NetworkPolicy {policy} lets in addresses at port {port}. Cilium knows nodes as nodes and not by their addresses, so the API server on its node isn't let in.",
    unclear: "NetworkPolicy {policy} lets only certain callers in at port {port}. Whether the API server's calls are among them, the cluster doesn't tell.",
    plugin: "{kind} {policy} is a policy of the network plugin's own kind. Whether it lets the API server's calls in at port {port} is in its text.",
    sure: "A call to the webhook was lost on the way, and these policies don't let it in.",
    "not-firewall": "A policy within the cluster explains the loss; a firewall outside isn't needed for it.",
    look: "Read the policies",
    allow: "Let calls in beside them",
    "allow-changes":
      "Policies add up, so a NetworkPolicy is added that lets every address reach the ports of the webhook's pods. Policies of Calico's or Cilium's own kinds that deny are not overruled by it.",
    "allow-undo": "`kubectl -n {namespace} delete networkpolicy {policy}`",
    cilium: "Let nodes and the API server in beside them",
    "cilium-changes":
      "A CiliumNetworkPolicy is added that lets the API server and every node reach the webhook's port {port}. Policies that deny are not overruled by it.",
    "cilium-undo": "`kubectl -n {namespace} delete ciliumnetworkpolicy {policy}`",
    arrived: "The API server's call didn't get as far as the way to the webhook's pods.",
    host: "The webhook's pods are on their nodes' network, where NetworkPolicies don't reach them.",
  },
  run({ networkPolicies, pods, apiProbe, reportedErrors, deployments, pluginPolicies, controlPlanePods, nodes, daemonSets }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    // Who was let in to shake hands was let in.
    if (made.outcome === "answered" || (made.outcome === "failed" && stageOf(made.call.reason) === "connected")) return { status: "pass" };
    if (made.outcome === "not-called") return { status: "not-applicable", because: { key: "arrived" } };
    const { webhook, pods: running } = calledWebhook(made.call, { deployments, pods: { state: "known", value: pods } });
    const port = declaredPort(webhook) ?? kubeletPort;
    if (webhook?.spec.template.spec.hostNetwork || running.every((pod) => pod.spec.hostNetwork)) {
      return running.length === 0 ? { status: "needs", fact: "deployments" } : { status: "not-applicable", because: { key: "host" } };
    }
    const { ingress, policies } = policyBlock(running, port, { networkPolicies, controlPlanePods, nodes, daemonSets });
    if (ingress === "open" && pluginPolicies.state !== "known") return { status: "needs", fact: "pluginPolicies" };
    const others = ingress === "open" ? (knownValue(pluginPolicies) ?? []) : [];
    const [first = others[0]] = ingress === "open" ? [] : policies;
    if (!first) return { status: "pass" };
    const namespace = webhook?.metadata.namespace ?? "";
    const key = ingress === "open" ? ("plugin" as const) : ingress;
    const likely = key === "plugin" || key === "unclear";
    const values = { policy: first.metadata.name, kind: first.kind ?? "", port, target: targetOf(made.call) };
    const onCilium = key === "not-nodes" || (key === "plugin" && others.some((one) => one.kind?.startsWith("Cilium")));
    const agents = tunnelOf(knownValue(controlPlanePods) ?? []).agents;
    const kubectl = { for: "kubectl" as const, effect: "cluster" as const };
    return {
      status: "fail",
      ...(likely ? { headline: { key: "likely" as const } } : {}),
      problems: [
        {
          key,
          values,
          severity: "blocker",
          subject: refOf(first),
          component: "webhook",
          install: made.call.namespace,
          evidence: [
            made.evidence,
            ...(key === "plugin"
              ? others.slice(0, shown).map((object) => ({ object: refOf(object), path: "metadata.name", value: object.metadata.name }))
              : policies.slice(0, shown).map(rulesOf)),
            ...(key === "pods-only"
              ? agents
                  .slice(0, 1)
                  .map((agent) => ({ object: refOf({ ...agent, kind: "Pod" }), path: "metadata.labels", value: JSON.stringify(agent.metadata.labels ?? {}) }))
              : []),
          ],
          fix: [
            { title: { key: "look" }, for: "kubectl", command: (key === "plugin" ? others : policies).slice(0, shown).map(printed).join("\n"), effect: "none" },
            ...(webhook && onCilium
              ? [
                  {
                    ...kubectl,
                    title: { key: "cilium" as const },
                    command: allowWebhookOnCilium(webhook, port),
                    changes: { key: "cilium-changes" as const, values: { port } },
                    undo: { key: "cilium-undo" as const, values: { namespace, policy: ciliumPolicyName(webhook) } },
                  },
                ]
              : []),
            ...(webhook && !onCilium
              ? [
                  {
                    ...kubectl,
                    title: { key: "allow" as const },
                    command: allowWebhook(webhook),
                    changes: { key: "allow-changes" as const },
                    undo: { key: "allow-undo" as const, values: { namespace, policy: policyName(webhook) } },
                  },
                ]
              : []),
          ],
        },
      ],
      ...(likely ? {} : { because: [{ key: "sure" as const }], ruledOut: [{ check: "overlay-firewall", key: "not-firewall" as const }] }),
    };
  },
});

/** Calico's kind has the name of Kubernetes' own. */
function refOf({ apiVersion = "", kind = "NetworkPolicy", metadata }: KubeObject) {
  const qualified = apiVersion.startsWith("crd.projectcalico.org/") ? `${kind}.crd.projectcalico.org` : kind;
  return { kind: qualified, ...(metadata.namespace ? { namespace: metadata.namespace } : {}), name: metadata.name };
}

function rulesOf(policy: KubeObject & { readonly spec?: { readonly ingress?: unknown } }): Evidence {
  const { ingress } = policy.spec ?? {};
  return { object: refOf(policy), path: "spec.ingress", value: ingress === undefined ? null : JSON.stringify(ingress) };
}

function printed(policy: KubeObject): string {
  const { kind, namespace, name } = refOf(policy);
  return `kubectl ${namespace ? `-n ${namespace} ` : ""}get ${kind.toLowerCase()} ${name} -o yaml`;
}
