import { fixOnce } from "../derive/fix-once.ts";
import { type FailedPull, failedPulls, outcomeWithoutPull } from "../derive/image-pulls.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { type ChartValues, chartVersion, componentValues, setValues } from "../kube/chart-values.ts";
import { isAtLeast } from "../kube/version.ts";
import { type Component, defineCheck, type Pattern } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Pod } from "../model/kubernetes.ts";

const patterns: readonly Pattern[] = [
  { in: "image-pull", text: /no match(?:ing manifest)? for (?:platform )?"?windows/ },
  { in: "image-pull", text: /container operating system does not match the host operating system/ },
];
const linux = { nodeSelector: { "kubernetes.io/os": "linux" } };

type Key = "select" | "select-changes" | "select-undo" | "nodes";

export default defineCheck({
  id: "windows-node-scheduling",
  area: "platform",
  severity: "blocker",
  needs: ["pods", "events"],
  uses: ["deployments", "webhooks"],
  causedBy: [],
  patterns,
  sources: ["catalogue 1.12 windows-node-scheduling", "https://cert-manager.io/docs/installation/best-practice/"],
  strings: {
    title: "Pod on a node with Windows",
    headline: "*A part of cert-manager can't start,* because its pod was put on a node with Windows, for which it has no image.",
    why: "cert-manager has images for Linux only. The chart asks for nodes with Linux; where the values replace that node selector and the cluster has nodes with Windows, pods may land there.",
    landed: "{kind} {name} of the {component} waits for `{image}` on node {node}, which runs Windows.",
    untold: {
      text: "{kind} {name} waits for `{image}`, and neither its status nor an event says why: events are kept for about an hour.",
      note: "{kind} is Pod or Deployment",
    },
    answered: "The registry has the image, for other systems than this node's.",
    select: "Ask for nodes with Linux",
    "select-changes": "The pods of all components are made anew on nodes with Linux. Other labels that they ask for stay.",
    "select-undo": "Remove the label `kubernetes.io/os` from the node selectors.",
    nodes: "See which nodes run what",
  },
  run({ pods, events, deployments, webhooks }) {
    const pulls = failedPulls({ pods, events, deployments }, patterns);
    if (pulls.length === 0) return outcomeWithoutPull({ pods, events, deployments });
    const problems = pulls.map((pull) => ({
      key: "landed" as const,
      values: {
        kind: pull.subject.kind,
        name: pull.subject.name,
        component: pull.component ?? pull.container,
        image: pull.image,
        node: pull.pods[0]?.spec.nodeName ?? "",
      },
      severity: severityWithoutPod(pull.pods[0] as Pod, pods, webhooks),
      subject: pull.subject,
      component: pull.component,
      install: pull.namespace,
      evidence: pull.evidence,
      fix: fixOf(pull),
    }));
    return { status: "fail", problems: fixOnce(problems), ruledOut: [{ check: "image-not-found", key: "answered" }] };
  },
});

function fixOf({ install, namespace }: FailedPull): readonly FixStep<Key>[] {
  const nodes: FixStep<Key> = { title: { key: "nodes" }, for: "kubectl", command: "kubectl get nodes -L kubernetes.io/os", effect: "none" };
  if (!install) return [nodes];
  const found = Object.keys(install.components) as Component[];
  const common = isAtLeast(chartVersion(install), "v1.19.0") ? { global: linux } : {};
  const values: ChartValues = Object.assign({}, common, ...found.map((component) => componentValues(component, linux)), { startupapicheck: linux });
  const patch = JSON.stringify({ spec: { template: { spec: linux } } });
  const direct = Object.values(install.components)
    .map(({ metadata }) => `kubectl -n ${namespace} patch deployment ${metadata.name} --type=merge -p '${patch}'`)
    .join("\n");
  const step = { title: { key: "select" as const }, changes: { key: "select-changes" as const }, undo: { key: "select-undo" as const } };
  return [...setValues(install, step, values, direct), nodes];
}
