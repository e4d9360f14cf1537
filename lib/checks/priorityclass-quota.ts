import { type RefusedPods, refusalOutcome, refusalStrings, retrySteps, retryStrings } from "../derive/refused-pods.ts";
import { setValues } from "../kube/chart-values.ts";
import { applyObject } from "../kube/commands.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

const unknownClass = /no PriorityClass with name (?<name>\S+) was found/;
const systemClasses = ["system-node-critical", "system-cluster-critical"];

type Key = "quota" | "quota-changes" | "quota-undo" | "unset" | "unset-undo" | "unset-changes" | "classes" | keyof typeof retryStrings;

export default defineCheck({
  id: "priorityclass-quota",
  area: "platform",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: insufficient quota to match these scopes: \[\{PriorityClass / },
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: no PriorityClass with name (?<class>\S+) was found/ },
  ],
  sources: [
    "catalogue 1.3 priorityclass-quota",
    "https://cert-manager.io/docs/installation/best-practice/",
    "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
  ],
  strings: {
    title: "Pods refused for their priority class",
    headline: "*A part of cert-manager can't start,* because its pods may not have the priority class that they ask for.",
    "headline-served":
      "*A change to cert-manager doesn't take effect,* because the new pods may not have the priority class that they ask for; the old ones still work.",
    why: "Where a cluster keeps its system priority classes to itself, as GKE does, a pod outside `kube-system` may have one only if a quota of its namespace allows it. The value `global.priorityClassName` asks for the class.",
    quota: "Allow system priority classes in the namespace",
    refused: "No pod of the {component} can start: no quota of namespace {namespace} allows pods of the class `{class}`.",
    served: "New pods of the {component} can't start, while the old ones still work: no quota of namespace {namespace} allows pods of the class `{class}`.",
    "refused-unknown": "No pod of the {component} can start: there is no priority class `{class}` in this cluster.",
    "served-unknown": "New pods of the {component} can't start, while the old ones still work: there is no priority class `{class}` in this cluster.",
    "quota-changes":
      "Namespace {namespace} gets a quota that counts pods of the system classes and allows any number of them. Pods of other classes aren't counted.",
    "quota-undo": "`kubectl -n {namespace} delete resourcequota cert-manager-critical-pods`; running pods stay.",
    unset: "Do without a priority class",
    "unset-changes": "The pods of all components are made without a priority class. On a full node they no longer displace others, and may be displaced.",
    "unset-undo": "Set the value that was there before.",
    classes: "See which priority classes there are",
    ...retryStrings,
    ...refusalStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "priority", (one, refused) => {
      const unknown = unknownClass.exec(one.message)?.groups?.name;
      const key = one.served ? "served" : "refused";
      const name = unknown ?? one.deployment.spec.template.spec.priorityClassName ?? systemClasses.join(", ");
      return {
        key: unknown ? (`${key}-unknown` as const) : key,
        values: { component: one.component, namespace: one.namespace, class: name },
        fix: unknown
          ? [classes, ...unset(one)]
          : [allow(one), ...retrySteps(one.namespace, refused), ...unset(one).map((step) => ({ ...step, instead: true }))],
      };
    });
  },
});

const classes: FixStep<Key> = { title: { key: "classes" }, for: "kubectl", command: "kubectl get priorityclasses", effect: "none" };

function allow({ namespace }: RefusedPods): FixStep<Key> {
  const quota = {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "cert-manager-critical-pods", namespace },
    spec: { hard: { pods: "1G" }, scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: systemClasses }] } },
  };
  return {
    title: { key: "quota" },
    for: "kubectl",
    command: applyObject(quota),
    effect: "cluster",
    changes: { key: "quota-changes", values: { namespace } },
    undo: { key: "quota-undo", values: { namespace } },
  };
}

function unset({ install }: RefusedPods): readonly FixStep<Key>[] {
  if (!install) return [];
  const step = { title: { key: "unset" as const }, changes: { key: "unset-changes" as const }, undo: { key: "unset-undo" as const } };
  const operations = [{ op: "remove", path: "/spec/template/spec/priorityClassName" }];
  const direct = Object.values(install.components)
    .filter(({ spec }) => spec.template.spec.priorityClassName)
    .map(({ metadata }) => `kubectl -n ${install.namespace} patch deployment ${metadata.name} --type=json -p '${JSON.stringify(operations)}'`);
  return setValues(install, step, { global: { priorityClassName: "" } }, direct.join("\n") || undefined);
}
