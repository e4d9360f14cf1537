import { tunnelOf } from "../derive/tunnel.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { matchesAny } from "../kube/error-text.ts";
import { isPodReady } from "../kube/readiness.ts";
import { stageOf } from "../kube/webhook-failure.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: /No agent available|dial timeout, backstop|error dialing backend|\/tunnel-uds\/|konnectivity/ },
];
const shown = 3;

export default defineCheck({
  id: "konnectivity-broken",
  area: "platform",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "controlPlanePods"],
  causedBy: [],
  patterns,
  sources: [
    "catalogue 1.8 konnectivity-broken",
    "https://kubernetes.io/docs/tasks/extend-kubernetes/setup-konnectivity/",
    "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/tunnel-connectivity-issues",
    "https://github.com/cert-manager/cert-manager/issues/6457",
  ],
  strings: {
    title: "Tunnel from the control plane broken",
    headline: "*No Certificate or Issuer can be created or changed,* because the tunnel by which the control plane reaches the cluster's pods is broken.",
    why: "Where the control plane runs elsewhere, agents in the cluster open a tunnel to it, and every call to a webhook goes through that. With it `kubectl logs`, `kubectl exec` and every other product's webhooks fail. cert-manager has no part in it: another version of it changes nothing.",
    down: "The API server's call to {target} was lost, and of {count, plural, one {the tunnel's only agent} other {the tunnel's # agents}} none is ready.",
    said: "The API server's call to {target} failed in the tunnel's own words. {count, plural, =0 {None of its agents is seen in kube-system.} one {Its only agent looks healthy.} other {Its # agents look healthy.}}",
    sure: "These words come from the tunnel, which the call entered and didn't leave.",
    agents: "Every call from the control plane goes through these agents.",
    look: "See how the tunnel's agents are, and what they say",
    try: "See whether other calls through the tunnel work: read any pod's log",
    restart: "Start the agents again",
    "restart-changes": "New agents open new tunnels to the control plane, one after the other. `kubectl logs` and `kubectl exec` may be cut off meanwhile.",
    policies: "See which policies hold back what leaves kube-system",
    unseen: "The API server's call didn't get lost on the way to the webhook's pods.",
    other: "The API server's call failed for another reason, and the cluster shows no tunnel.",
  },
  run({ apiProbe, reportedErrors, controlPlanePods }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    const stage = made.outcome === "failed" ? stageOf(made.call.reason) : "unrouted";
    if (made.outcome === "not-called" || stage === "unrouted" || stage === "connected") return { status: "not-applicable", because: { key: "unseen" } };
    const { call, message } = made;
    const said = matchesAny(message, patterns);
    if (!said && controlPlanePods.state !== "known") return { status: "needs", fact: "controlPlanePods" };
    const { agents, down } = tunnelOf(knownValue(controlPlanePods) ?? []);
    if (!said && !down) return agents.length > 0 ? { status: "pass" } : { status: "not-applicable", because: { key: "other" } };
    const kubectl = { for: "kubectl" as const };
    const selector = agents.length > 0 ? selectorOf(agents) : undefined;
    const owner = ownerOf(agents);
    return {
      status: "fail",
      problems: [
        {
          key: down ? "down" : "said",
          values: { target: targetOf(call), count: agents.length },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...agents.slice(0, shown).map(readiness)],
          fix: [
            ...(selector
              ? [
                  {
                    ...kubectl,
                    title: { key: "look" as const },
                    command: `kubectl -n kube-system get pods -l ${selector} -o wide\nkubectl -n kube-system describe pods -l ${selector}\nkubectl -n kube-system logs -l ${selector} --tail=30 --prefix`,
                    effect: "none" as const,
                  },
                ]
              : []),
            ...(call.namespace
              ? [
                  {
                    ...kubectl,
                    title: { key: "try" as const },
                    command: `kubectl -n ${call.namespace} logs -l app.kubernetes.io/component=webhook --tail=3`,
                    effect: "none" as const,
                  },
                ]
              : []),
            { ...kubectl, title: { key: "policies" }, command: "kubectl -n kube-system get networkpolicies", effect: "none" },
            ...(owner
              ? [
                  {
                    ...kubectl,
                    title: { key: "restart" as const },
                    command: `kubectl -n kube-system rollout restart ${owner}`,
                    effect: "cluster" as const,
                    changes: { key: "restart-changes" as const },
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: said ? "sure" : "agents" }],
    };
  },
});

function readiness(pod: Pod): Evidence {
  const index = pod.status?.conditions?.findIndex(({ type }) => type === "Ready") ?? -1;
  const object = { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name };
  return index < 0
    ? { object, path: "status.conditions", value: null }
    : { object, path: `status.conditions[${index}].status`, value: isPodReady(pod) ? "True" : "False" };
}

/** A label that the agents have in common, as the different manifests give it. */
function selectorOf(agents: readonly Pod[]): string | undefined {
  const labels = agents[0]?.metadata.labels ?? {};
  const key = ["k8s-app", "app", "component"].find((one) => agents.every((agent) => labels[one] && agent.metadata.labels?.[one] === labels[one]));
  return key && `${key}=${labels[key]}`;
}

/** What makes the agents, as kubectl takes it; a ReplicaSet has the name of its Deployment and a hash. */
function ownerOf(agents: readonly Pod[]): string | undefined {
  const owner = agents[0]?.metadata.ownerReferences?.[0];
  if (owner?.kind === "ReplicaSet") return `deployment/${owner.name.replace(/-[^-]+$/, "")}`;
  return owner?.kind === "DaemonSet" ? `daemonset/${owner.name}` : undefined;
}
