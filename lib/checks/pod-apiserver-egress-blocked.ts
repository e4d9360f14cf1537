import { fixOnce, sameCommands } from "../derive/fix-once.ts";
import { installOfPod } from "../derive/install-of-pod.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { allowEgress, egressPolicyName } from "../kube/allow-egress.ts";
import { setValues } from "../kube/chart-values.ts";
import { componentOf, type Install, ownContainer } from "../kube/install.ts";
import { isHeld, leaseNames } from "../kube/lease.ts";
import { logTime } from "../kube/log-time.ts";
import { isPodReady } from "../kube/readiness.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import { type ContainerLog, type Fact, knownValue, type Lookup } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment, Lease, Pod } from "../model/kubernetes.ts";

// The API server has an address of its own in these logs, and webhooks and issuers have names.
const server = String.raw`(?:Get|Post|Put|Patch) \\?"https:\/\/(?<server>(?!127\.)[\d.]+|\[[\da-f:]+\]|kubernetes\.default\.svc[\w.]*)`;
const dialed = new RegExp(
  String.raw`${server}(?::\d+)?\/apis?\b[^"\\]*\\?": (?:dial tcp (?<address>\S+): )?(?<failure>i\/o timeout|connect: connection refused|connect: no route to host|connect: network is unreachable|net\/http: TLS handshake timeout)`,
);
const proxied = new RegExp(
  String.raw`${server}(?::\d+)?\/apis?\b[^"\\]*\\?": (?<failure>Service Unavailable|Forbidden|Bad Gateway|Gateway Time-?out|Proxy Authentication Required|proxyconnect tcp: [^"\\]*)`,
);
// Any program may say this of any API server: cert-manager's do it in lines of their own.
const own = "cert-manager|error building admission chain|error creating manager";
const ofOurs = ({ source }: RegExp) => [new RegExp(`(?:${own}).{0,200}?${source}`), new RegExp(`${source}.{0,80}?cert-manager`)];
const patterns: readonly Pattern[] = [...ofOurs(dialed), ...ofOurs(proxied)].map((text) => ({ in: "anywhere", text }));

/** How recently a component that runs must have complained, and how near the end of its log: earlier trouble may be over. */
const recent = 2 * 60_000;
const last = 20;

type Key = "policies" | "allow" | "allow-changes" | "allow-undo" | "node" | "around" | "around-changes" | "around-undo" | "proxy";

export default defineCheck({
  id: "pod-apiserver-egress-blocked",
  area: "pods",
  severity: "blocker",
  needs: ["pods", "logs"],
  uses: ["deployments", "webhooks", "leases"],
  causedBy: [],
  patterns,
  sources: [
    "catalogue 1.3 pod-apiserver-egress-blocked",
    "https://github.com/cert-manager/cert-manager/issues/5787",
    "https://github.com/cert-manager/cert-manager/issues/6577",
    "https://github.com/cert-manager/cert-manager/issues/3185",
  ],
  strings: {
    title: "API server out of a component's reach",
    headline: "*A part of cert-manager can do nothing,* because its pod can't reach the API server.",
    why: "All that cert-manager does goes through the API server: reading what is wanted, writing what was issued, taking a lease, and for the webhook storing its CA. A NetworkPolicy, the network of the pod's node or a proxy between them keeps the connection from being made.",
    ignore: "While the API server is upgraded or restarted, this lasts for some seconds.",
    timeout:
      "The {component} in Pod {name} gets no answer from the API server at {address}: the packets are dropped on the way, as by a NetworkPolicy without the API server's own port, or a fault of the node's network.",
    unreached: "The {component} in Pod {name} can't connect to the API server at {address}: {failure}.",
    proxied:
      "The {component} in Pod {name} asks a proxy for the API server at {address}, and the proxy answers {failure}: its exceptions don't have the cluster's own addresses.",
    "from-log": "The component's own log says so, near its end.",
    policies: "See which NetworkPolicies hold its traffic back",
    allow: "If one does: let it out beside that one",
    "allow-changes":
      "Policies add up, so a NetworkPolicy is added that lets the pods of the {component} connect to any address. A policy with the API server's real port would do: the one behind the Service, often 6443. Policies of Calico's or Cilium's own kinds are not overruled by it.",
    proxy: "See which proxy settings the components have",
    "allow-undo": "`kubectl -n {namespace} delete networkpolicy {policy}`",
    node: "See whether other pods of its node have the same trouble",
    around: "Let the cluster's own addresses go around the proxy",
    "around-changes": "cert-manager's pods are made anew with `NO_PROXY` set to {exceptions}.",
    "around-undo": "The same step with `{before}` takes it back.",
  },
  run({ pods, logs, deployments, webhooks, leases }, now) {
    const found = pods.flatMap((pod) => complaintOf(pod, logs, now) ?? []);
    if (leases.state === "missing" && found.some(({ pod }) => isPodReady(pod))) return { status: "needs", fact: "leases" };
    const cut = found.filter(({ pod }) => !(isPodReady(pod) && isLeaseKept(pod, leases, now)));
    if (cut.length === 0) return { status: "pass" };
    const problems = cut.map((one) => {
      const { pod, container, line, address, failure, by } = one;
      const { name, namespace = "" } = pod.metadata;
      const subject = { kind: "Pod", namespace, name };
      const component = componentOf(pod, pod.spec.containers);
      const { install, deployment } = installOfPod(pod, deployments);
      return {
        key: by === "proxy" ? ("proxied" as const) : failure === "i/o timeout" ? ("timeout" as const) : ("unreached" as const),
        values: { component: component ?? "", name, address, failure },
        severity: severityWithoutPod(pod, pods, webhooks),
        subject,
        component,
        install: namespace,
        transient: true,
        evidence: [{ object: subject, path: `log/${container}`, value: line }],
        fix: by === "proxy" ? aroundProxy(one, install, deployment) : throughPolicies(one, deployment),
      };
    });
    return { status: "fail", problems: fixOnce(problems, sameCommands), because: [{ key: "from-log" }] };
  },
});

interface Complaint {
  readonly pod: Pod;
  readonly container: string;
  readonly line: string;
  readonly address: string;
  readonly failure: string;
  readonly by: "network" | "proxy";
}

/** The newest complaint in the log of a component that isn't ready, or that runs and wrote it a moment ago. */
function complaintOf(pod: Pod, logs: readonly ContainerLog[], now: Date): Complaint | undefined {
  const ready = isPodReady(pod);
  // A webhook that is ready has got what it needs from the API server.
  if (ready && componentOf(pod, pod.spec.containers) === "webhook") return undefined;
  const container = ownContainer(pod.spec.containers)?.name ?? "";
  const log = logs.find((one) => one.pod === pod.metadata.name && one.namespace === pod.metadata.namespace && one.container === container);
  const line = log?.lines.slice(-last).findLast((one) => dialed.test(one) || proxied.test(one));
  if (!line) return undefined;
  const written = logTime(line, now)?.getTime();
  if (ready && (written === undefined || now.getTime() - written > recent)) return undefined;
  const direct = dialed.exec(line)?.groups;
  const { server: host = "", address = host, failure = "" } = direct ?? proxied.exec(line)?.groups ?? {};
  return { pod, container, line, address, failure, by: direct ? "network" : "proxy" };
}

/** Whether somebody keeps the component's lease: then it does reach the API server, whatever it wrote in a bad minute. */
function isLeaseKept(pod: Pod, leases: Fact<readonly Lookup<Lease>[]>, now: Date): boolean {
  const name = componentOf(pod, pod.spec.containers) === "cainjector" ? leaseNames.cainjector : leaseNames.controller;
  return (knownValue(leases) ?? []).some(({ ref, object }) => ref.name === name && isHeld(object, now));
}

function throughPolicies({ pod }: Complaint, deployment: Deployment | undefined): readonly FixStep<Key>[] {
  const { namespace = "" } = pod.metadata;
  const look = (key: "policies" | "node", command: string): FixStep<Key> => ({ title: { key }, for: "kubectl", command, effect: "none" });
  const policies = look(
    "policies",
    `kubectl -n ${namespace} get networkpolicies -o custom-columns='NAME:.metadata.name,PODS:.spec.podSelector.matchLabels,TYPES:.spec.policyTypes,EGRESS:.spec.egress'`,
  );
  const node = pod.spec.nodeName ? [look("node", `kubectl get pods -A -o wide --field-selector spec.nodeName=${pod.spec.nodeName}`)] : [];
  if (!deployment) return [policies, ...node];
  const allow: FixStep<Key> = {
    title: { key: "allow" },
    for: "kubectl",
    command: allowEgress(deployment),
    effect: "cluster",
    changes: { key: "allow-changes", values: { component: componentOf(pod, pod.spec.containers) ?? "" } },
    undo: { key: "allow-undo", values: { namespace, policy: egressPolicyName(deployment) } },
  };
  return [policies, allow, ...node];
}

function aroundProxy({ pod, address }: Complaint, install: Install | undefined, deployment: Deployment | undefined): readonly FixStep<Key>[] {
  const { namespace = "" } = pod.metadata;
  const read: FixStep<Key> = {
    title: { key: "proxy" },
    for: "kubectl",
    command: `kubectl -n ${namespace} get deployments -o jsonpath='{range .items[*]}{.metadata.name}{": "}{.spec.template.spec.containers[*].env}{"\\n"}{end}'`,
    effect: "none",
  };
  if (!install || !deployment) return [read];
  const env = ownContainer(deployment.spec.template.spec.containers)?.env ?? [];
  const before = env.find(({ name }) => name.toUpperCase() === "NO_PROXY")?.value ?? "";
  const server = address.replace(/:\d+$/, "");
  const exceptions = [...new Set([...before.split(",").filter(Boolean), server, ".svc", ".cluster.local"])].join(",");
  const step = {
    title: { key: "around" as const },
    changes: { key: "around-changes" as const, values: { exceptions } },
    undo: { key: "around-undo" as const, values: { before } },
  };
  const direct = `kubectl -n ${namespace} set env deployment/${deployment.metadata.name} NO_PROXY='${exceptions}'`;
  // The chart gives proxy settings to the controller alone; the others have them from elsewhere.
  if (componentOf(pod, pod.spec.containers) === "controller") return [...setValues(install, step, { no_proxy: exceptions }, direct), read];
  return [{ ...step, for: "kubectl", command: direct, effect: "cluster" }, read];
}
