import { type ComponentContainer, componentContainers } from "../derive/component-containers.ts";
import { installOfPod } from "../derive/install-of-pod.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { chartVersion, isUpstreamChart } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { ContainerLog, Fact } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";

/** What a component's last words mean (catalogue table d). The API server has an address of its own in these logs; webhooks have names. */
const meanings = [
  { key: "crds", text: /error retrieving certificate\.cert-manager\.io CRDs|certificates\.cert-manager\.io CRD not found/ },
  { key: "gateway", text: /Gateway API (?:ListenerSet )?CRDs? do not seem to be present/ },
  { key: "flag", text: /unknown flag: --/ },
  {
    key: "config",
    text: /unrecognized feature gate: |failed to load config file|failed to set feature gates|error validating flags|invalid argument \S+ for \\?"[^"]+" flag|unknown tls version|Cipher suite \S+ not supported/,
  },
  { key: "trust", text: /Get \\?"https:\/\/[^"\\]+\\?": (?:tls: failed to verify certificate: )?x509: / },
  {
    key: "egress",
    text: /(?:Get|Post) \\?"https:\/\/(?:[\d.]+|\[[\da-f:]+\]|kubernetes\.default\.svc)[:/]\S+: dial tcp \S+ (?:i\/o timeout|connect: connection refused|connect: no route to host)/,
  },
  { key: "port", text: /bind: address already in use/ },
  { key: "leader", text: /leader election lost/ },
] as const;
type Meaning = (typeof meanings)[number]["key"];

type Key = "again" | "again-changes" | "reapply" | "reapply-changes";

export default defineCheck({
  id: "pod-crashloop",
  area: "pods",
  severity: "blocker",
  needs: ["pods"],
  uses: ["logs", "deployments", "webhooks"],
  causedBy: [
    "pod-oomkilled",
    "webhook-tls-files-problem",
    "webhook-hostport-conflict",
    "pod-apiserver-egress-blocked",
    "crds-missing",
    "cainjector-rbac",
    "controller-leader-election-lost",
    "cainjector-waiting-for-crds",
    "controller-gateway-crds-missing",
    "pod-apiserver-ca-mismatch",
  ],
  sources: ["catalogue 1.3 pod-crashloop", "catalogue table (d)"],
  strings: {
    title: "Component that exits again and again",
    headline: "*A part of cert-manager doesn't stay up,* because its process exits soon after each start.",
    why: "The kubelet starts the container again each time, and waits longer before each start, up to five minutes. What it wrote last before it exited says why.",
    ignore: "A single restart, after which the container stays up, is no crash loop.",
    crashes: {
      text: "Container {container} of Pod {name} exits again and again: it was restarted {count, plural, one {once} other {# times}}, and last exited with code {code}.",
      note: "{code} is a number, or ? where it isn't known",
    },
    crds: "It waited for cert-manager's CRDs and gave up after five minutes: it needs them before it can fill in any CA bundle.",
    gateway: "It was told to use the Gateway API, and the CRDs of the Gateway API aren't in this cluster.",
    flag: "It was given a flag that this binary doesn't know: image and manifest are of different versions, or the image is another component's.",
    config: "It refuses its configuration: a feature gate or a setting isn't one that this version of it knows.",
    trust: "It doesn't trust the certificate of the API server: the CA that its service account has isn't the cluster's.",
    egress: "It can't reach the API server from its pod: a NetworkPolicy or the node's network stands between them.",
    leader: "It lost its leader lease, because it couldn't renew it in time: the API server was slow or out of reach.",
    read: "Read what it wrote before it exited",
    images: "Compare images and versions",
    policies: "See which NetworkPolicies hold its traffic back",
    args: "See how it is configured",
    port: "The port that it wants to listen on is taken, which happens with `hostNetwork`.",
    again: "Start it again as soon as the CRDs are there",
    "again-changes": "The pod is deleted and its Deployment makes a new one, which doesn't wait out the back-off.",
    reapply: "Put the manifest of {version} back",
    "reapply-changes": "Deployments, flags and images are again those of {version}, with the values that were set. Custom resources aren't touched.",
  },
  run({ pods, logs, deployments, webhooks }) {
    const found = componentContainers({ pods }).filter(isCrashing);
    const words = found.map((one) => ({ one, ...lastWords(one, logs) }));
    const problems = words.map(({ one, lines, meaning }) => {
      const { pod, subject, namespace, component, status, path } = one;
      const ended = status.lastState?.terminated ?? status.state?.terminated;
      const endedAt = status.lastState?.terminated ? `${path}.lastState.terminated` : `${path}.state.terminated`;
      const { install, deployment } = installOfPod(pod, deployments);
      const step = (key: "read" | "images" | "policies" | "args", command: string) => ({
        title: { key },
        for: "kubectl" as const,
        command,
        effect: "none" as const,
      });
      return {
        key: "crashes" as const,
        values: { container: status.name, name: pod.metadata.name, count: status.restartCount ?? 0, code: String(ended?.exitCode ?? "?") },
        severity: severityWithoutPod(pod, pods, webhooks),
        subject,
        component,
        install: namespace,
        evidence: [
          ...evidenceOf(subject, `${path}.state.waiting.reason`, status.state?.waiting?.reason),
          ...evidenceOf(subject, `${endedAt}.reason`, ended?.reason),
          ...evidenceOf(subject, `${endedAt}.exitCode`, ended?.exitCode),
          ...evidenceOf(subject, `${path}.restartCount`, status.restartCount),
          ...lines.map((line) => ({ object: subject, path: `log/${status.name}`, value: line })),
        ],
        fix: [
          step("read", `kubectl -n ${namespace} logs ${pod.metadata.name} -c ${status.name} --previous --tail=50`),
          ...(meaning === "egress" ? [step("policies", `kubectl -n ${namespace} get networkpolicies -o yaml`)] : []),
          ...(meaning === "config" || meaning === "gateway"
            ? [step("args", `kubectl -n ${namespace} get pod ${pod.metadata.name} -o jsonpath='{.spec.containers[*].args}'`)]
            : []),
          ...(meaning === "flag" ? [step("images", `kubectl -n ${namespace} get deployments -o wide`)] : []),
          ...(install && deployment ? cureOf(meaning, install, one) : []),
        ],
      };
    });
    if (problems.length === 0) return { status: "pass" };
    const said = new Set(words.flatMap(({ meaning }) => meaning ?? []));
    return { status: "fail", problems, because: [...said].map((key) => ({ key })) };
  },
});

function cureOf(meaning: Meaning | undefined, install: Install, { pod, namespace }: ComponentContainer): readonly FixStep<Key>[] {
  if (meaning === "crds") {
    const command = `kubectl -n ${namespace} delete pod ${pod.metadata.name}`;
    return [{ title: { key: "again" }, for: "kubectl", command, effect: "cluster", changes: { key: "again-changes" } }];
  }
  if (meaning !== "flag" || !isUpstreamChart(install)) return [];
  const version = chartVersion(install);
  const step = { title: { key: "reapply" as const, values: { version } }, changes: { key: "reapply-changes" as const, values: { version } } };
  return reapply({ ...install, version }, step);
}

/** In back-off, or just ended with an error once more. An end for lack of memory is told by itself until the kubelet backs off. */
function isCrashing({ status }: ComponentContainer): boolean {
  if (status.state?.waiting?.reason === "CrashLoopBackOff") return true;
  const ended = status.state?.terminated;
  return ended !== undefined && ended.exitCode !== 0 && ended.reason !== "OOMKilled" && (status.restartCount ?? 0) > 0;
}

function evidenceOf(object: Evidence["object"], path: string, value: string | number | undefined): readonly Evidence[] {
  return value === undefined ? [] : [{ object, path, value: String(value) }];
}

/** The lines that tell why it exited, or the last ones. The latest line that means something counts: earlier trouble may have passed. */
function lastWords({ pod, status }: ComponentContainer, logs: Fact<readonly ContainerLog[]>): { lines: readonly string[]; meaning?: Meaning } {
  const known = logs.state === "known" ? logs.value : [];
  const log = known.find((one) => one.namespace === pod.metadata.namespace && one.pod === pod.metadata.name && one.container === status.name);
  const lines = log?.lines ?? [];
  const latest = lines.map((line) => meanings.find(({ text }) => text.test(line))).findLast(Boolean);
  if (!latest) return { lines: lines.slice(-3) };
  return { lines: lines.filter((line) => latest.text.test(line)).slice(-2), meaning: latest.key };
}
