import { fixOnce, sameCommands } from "../derive/fix-once.ts";
import { installOfPod } from "../derive/install-of-pod.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { type ChartValues, chartVersion, componentValues, setValues } from "../kube/chart-values.ts";
import { lines } from "../kube/commands.ts";
import { componentOf, type Install } from "../kube/install.ts";
import { readScheduling, type SchedulingFailure } from "../kube/scheduling.ts";
import { isAtLeast } from "../kube/version.ts";
import { type Component, defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";

type Key =
  | "tolerate"
  | "tolerate-changes"
  | "tolerate-named-changes"
  | "unselect"
  | "unselect-changes"
  | "request"
  | "request-changes"
  | "undo"
  | "labels"
  | "room"
  | "nodes"
  | "look";

/** Stands for the key of a taint that the scheduler doesn't name. */
const exampleTaint = "dedicated";

export default defineCheck({
  id: "pod-unschedulable",
  area: "pods",
  severity: "blocker",
  needs: ["pods"],
  uses: ["deployments", "webhooks"],
  causedBy: ["webhook-hostport-conflict"],
  sources: ["catalogue 1.3 pod-unschedulable", "https://cert-manager.io/docs/installation/best-practice/"],
  strings: {
    title: "Pod that no node takes",
    headline: "*A part of cert-manager isn't running,* because no node takes its pod.",
    why: "The scheduler has looked at every node and found none that the pod may run on. The pod waits until a node fits; nothing of it has started, so there is no log.",
    ignore: "Where nodes are added on demand, this lasts as long as a new node takes to start.",
    taint: {
      text: "Pod {name} of the {component} waits for a node: the nodes carry the taint {taint}, which it doesn't tolerate.",
      note: "{taint} is like dedicated=infra",
    },
    "some-taint": "Pod {name} of the {component} waits for a node: the nodes carry taints, and it doesn't tolerate all of them.",
    ports: "Pod {name} of the {component} waits for a node: it wants a port of the node itself, and that port is taken on every node that would do.",
    selector: "Pod {name} of the {component} waits for a node: none has the labels {labels} that it asks for.",
    lacking: {
      text: "Pod {name} of the {component} waits for a node: none has enough {resources} left.",
      note: "{resources} is a list such as cpu, memory or pods",
    },
    unwell: "Pod {name} of the {component} waits for a node: nodes that would do aren't ready for pods.",
    other: "Pod {name} of the {component} waits for a node, and the scheduler finds none that fits.",
    tolerate: "Let cert-manager run on these nodes",
    "tolerate-changes":
      "The pods of all components tolerate the taint {taint} and are made anew. The value of each component is its own: the one at the top is the controller's only.",
    "tolerate-named-changes": {
      text: "The pods of all components tolerate the taint that you name, for which `{taint}` stands in values, and are made anew. A taint whose key begins with node.kubernetes.io says that the node isn't well: leave it alone.",
      note: "{taint} is an example of a taint's key",
    },
    unselect: "Drop the labels that no node has",
    "unselect-changes": "The components that ask for {labels} no longer do, and their pods are made anew.",
    request: "Ask for less",
    "request-changes": "The {component} asks for 10m of cpu and 32Mi of memory, and its pod is made anew. Limits stay as they are.",
    undo: "Set the value that was there before.",
    labels: "Compare with the labels of the nodes",
    room: "See what is left on the nodes",
    nodes: "See how the nodes are",
    look: "Read what the scheduler tried",
  },
  run({ pods, deployments, webhooks }) {
    const problems = pods.flatMap((pod) => {
      const index = pod.status?.conditions?.findIndex((one) => one.type === "PodScheduled" && one.status === "False" && one.reason === "Unschedulable") ?? -1;
      const condition = pod.status?.conditions?.[index];
      if (!condition) return [];
      const namespace = pod.metadata.namespace ?? "";
      const subject = { kind: "Pod", namespace, name: pod.metadata.name };
      const component = componentOf(pod, pod.spec.containers);
      const failure = readScheduling(condition.message ?? "");
      const key = reasonOf(failure, pod);
      const { install, deployment } = installOfPod(pod, deployments);
      return [
        {
          key,
          values: {
            name: pod.metadata.name,
            component: component ?? "",
            taint: taintText(failure),
            labels: labelsOf(pod),
            resources: failure.lacking.join(", "),
          },
          severity: severityWithoutPod(pod, pods, webhooks),
          subject,
          component,
          install: namespace,
          // Nodes come up, and autoscalers add some, in the first minutes; nothing else gets better by waiting.
          transient: key === "lacking" || key === "unwell" || key === "some-taint",
          evidence: [
            { object: subject, path: `status.conditions[${index}].message`, value: condition.message ?? null },
            ...(key === "selector" ? [{ object: subject, path: "spec.nodeSelector", value: labelsOf(pod) || null }] : []),
          ],
          fix:
            key === "some-taint"
              ? [...lookOf(key, pod), ...cureOf(key, failure, pod, component, install, deployment)]
              : [...cureOf(key, failure, pod, component, install, deployment), ...lookOf(key, pod)],
        },
      ];
    });
    // One change of values lets all components run on the nodes.
    return problems.length > 0 ? { status: "fail", problems: fixOnce(problems, sameCommands) } : { status: "pass" };
  },
});

type Reason = "taint" | "some-taint" | "ports" | "selector" | "lacking" | "unwell" | "other";

function reasonOf(failure: SchedulingFailure, pod: Pod): Reason {
  if (failure.taints.length > 0) return "taint";
  if (failure.ports) return "ports";
  if (failure.lacking.length > 0) return "lacking";
  if (failure.nodesNotReady) return "unwell";
  // Nodes of the control plane have taints everywhere: labels of the pod's own that no node has are the likelier cause.
  if (failure.unnamedTaint && !(failure.selector && ownLabels(pod.spec.nodeSelector).length > 0)) return "some-taint";
  return failure.selector && pod.spec.nodeSelector ? "selector" : "other";
}

/** Labels that somebody asked for; the chart asks for Linux. */
function ownLabels(nodeSelector: Pod["spec"]["nodeSelector"]): readonly string[] {
  return Object.keys(nodeSelector ?? {}).filter((label) => label !== "kubernetes.io/os");
}

function taintText({ taints }: SchedulingFailure): string {
  return [...new Set(taints.map(({ key, value }) => (value ? `${key}=${value}` : key)))].join(", ");
}

function labelsOf(pod: Pod): string {
  const labels = Object.entries(pod.spec.nodeSelector ?? {});
  return labels.map(([key, value]) => `${key}=${value}`).join(", ");
}

function cureOf(
  key: Reason,
  failure: SchedulingFailure,
  pod: Pod,
  component: Component | undefined,
  install: Install | undefined,
  deployment: Deployment | undefined,
): readonly FixStep<Key>[] {
  if (!install || !deployment || !component) return [];
  const undo = { key: "undo" as const };
  const all = Object.entries(install.components) as [Component, Deployment][];
  const patch = (of: Deployment, operation: string, path: string, value?: unknown) =>
    `kubectl -n ${install.namespace} patch deployment ${of.metadata.name} --type=json -p '${JSON.stringify([{ op: operation, path: `/spec/template/spec/${path}`, value }])}'`;
  if (key === "taint") {
    const step = { title: { key: "tolerate" as const }, changes: { key: "tolerate-changes" as const, values: { taint: taintText(failure) } }, undo };
    const keys = failure.taints.map((taint) => taint.key);
    return setValues(install, step, tolerating(all, keys), all.map(([, of]) => patch(of, "add", "tolerations", tolerations(of, keys))).join("\n"));
  }
  if (key === "some-taint") {
    const step = { title: { key: "tolerate" as const }, changes: { key: "tolerate-named-changes" as const, values: { taint: exampleTaint } }, undo };
    const ask = `printf 'Key of the taint to tolerate, such as ${exampleTaint}: ' && read -r TAINT &&`;
    const direct = all.map(([, of]) => patch(of, "add", "tolerations", tolerations(of, ["'$TAINT'"]))).join(" && \\\n  ");
    return [
      ...setValues(install, step, tolerating(all, ["$TAINT"]), direct).flatMap((one) =>
        one.for === "values" ? [] : { ...one, command: lines(ask, one.command) },
      ),
      ...setValues(install, step, tolerating(all, [exampleTaint])).filter((one) => one.for === "values"),
    ];
  }
  const own = ownLabels(deployment.spec.template.spec.nodeSelector);
  if (key === "selector" && own.length > 0) {
    const labels = own.map((label) => `${label}=${pod.spec.nodeSelector?.[label] ?? ""}`).join(", ");
    const step = { title: { key: "unselect" as const }, changes: { key: "unselect-changes" as const, values: { labels } }, undo };
    const selector = { nodeSelector: Object.fromEntries(own.map((label) => [label, null])) };
    const selecting = all.filter(([, of]) => own.every((label) => of.spec.template.spec.nodeSelector?.[label] === pod.spec.nodeSelector?.[label]));
    // They may come from each component's own value or, since 1.19, from one for all.
    const common = isAtLeast(chartVersion(install), "v1.19.0") ? { global: selector } : {};
    const values: ChartValues = Object.assign({}, common, ...selecting.map(([one]) => componentValues(one, selector)));
    const pointers = selecting.flatMap(([, of]) =>
      own.map((label) => patch(of, "remove", `nodeSelector/${label.replaceAll("~", "~0").replaceAll("/", "~1")}`)),
    );
    return setValues(install, step, values, pointers.join("\n"));
  }
  const asked = pod.spec.containers.find((container) => container.name === `cert-manager-${component}`)?.resources?.requests;
  if (key === "lacking" && asked && failure.lacking.some((resource) => asked[resource])) {
    const step = { title: { key: "request" as const }, changes: { key: "request-changes" as const, values: { component } }, undo };
    const direct = `kubectl -n ${install.namespace} set resources deployment/${deployment.metadata.name} -c cert-manager-${component} --requests=cpu=10m,memory=32Mi`;
    return setValues(install, step, componentValues(component, { resources: { requests: { cpu: "10m", memory: "32Mi" } } }), direct);
  }
  return [];
}

/** Values that let all components tolerate taints; each component has a value of its own. */
function tolerating(all: readonly [Component, Deployment][], keys: readonly string[]): ChartValues {
  return Object.assign({}, ...all.map(([one, of]) => componentValues(one, { tolerations: tolerations(of, keys) })));
}

/** Those that the component has, and the new ones after them. */
function tolerations(deployment: Deployment, keys: readonly string[]) {
  const before = deployment.spec.template.spec.tolerations ?? [];
  const added = [...new Set(keys)].filter((key) => !before.some((one) => one.key === key && one.operator === "Exists" && !one.effect));
  return [...before.map((one) => ({ ...one })), ...added.map((key) => ({ key, operator: "Exists" }))];
}

function lookOf(key: Reason, pod: Pod): readonly FixStep<Key>[] {
  const step = (title: Key, command: string): FixStep<Key> => ({ title: { key: title }, for: "kubectl", command, effect: "none" });
  if (key === "selector")
    return [
      step(
        "labels",
        `kubectl get nodes ${Object.keys(pod.spec.nodeSelector ?? {})
          .map((label) => `-L ${label}`)
          .join(" ")}`.trimEnd(),
      ),
    ];
  if (key === "lacking") return [step("room", "kubectl describe nodes | grep -A 9 'Allocated resources'")];
  if (key === "unwell" || key === "taint" || key === "some-taint")
    return [step("nodes", "kubectl get nodes -o custom-columns='NAME:.metadata.name,TAINTS:.spec.taints[*].key'")];
  return [step("look", `kubectl -n ${pod.metadata.namespace} describe pod ${pod.metadata.name}`)];
}
