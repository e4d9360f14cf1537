import { type RefusedPods, refusalOutcome, refusalStrings, retrySteps, retryStrings } from "../derive/refused-pods.ts";
import { type ChartValues, componentValues, setValues } from "../kube/chart-values.ts";
import { modestValues, setModest } from "../kube/component-resources.ts";
import { raisedLimits, readExceededQuota } from "../kube/quota.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

const unspecified = /failed quota: (?<name>[^:\s]+): must specify (?<what>[^\n]+)/;
const unready = /status unknown for quota/;
/** What a LimitRange says, which may belong to any product in the namespace. */
const range = /(?<bound>minimum|maximum) (?<resource>\S+) usage per (?<of>Container|Pod) is (?<amount>[^,.\s]+(?:\.\d+\w*)?)/;

type Key = "ask" | "ask-changes" | "undo" | "raise" | "raise-changes" | "raise-undo" | "fit" | "fit-changes" | "quotas" | "ranges" | keyof typeof retryStrings;

export default defineCheck({
  id: "resourcequota-blocked",
  area: "pods",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: (?:exceeded|failed) quota: (?<quota>[^,:\s]+)/ },
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: \[?(?:minimum|maximum) \S+ usage per (?:Container|Pod) is/ },
  ],
  sources: [
    "catalogue 1.3 resourcequota-blocked",
    "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
    "https://kubernetes.io/docs/concepts/policy/limit-range/",
  ],
  strings: {
    title: "Pods refused by a quota or limit range",
    headline: "*A part of cert-manager can't start,* because a quota or limit range of its namespace refuses its pods.",
    "headline-served":
      "*A change to cert-manager doesn't take effect,* because a quota or limit range of its namespace refuses the new pods; others still work.",
    why: "A quota says how much all pods of a namespace may ask for together, and where it counts cpu or memory each pod must say how much it wants. The chart sets no requests and no limits. A limit range says how much a single container may ask for.",
    "refused-unspecified": {
      text: "No pod of the {component} can start: quota {quota} of namespace {namespace} wants each container to say {what}.",
      note: "{what} is the API server's list in English, such as limits.cpu for: cert-manager-webhook",
    },
    "served-unspecified": {
      text: "New pods of the {component} can't start, while others still work: quota {quota} of namespace {namespace} wants each container to say {what}.",
      note: "{what} is the API server's list in English, such as limits.cpu for: cert-manager-webhook",
    },
    "refused-full": {
      text: "No pod of the {component} can start: quota {quota} of namespace {namespace} is used up. The pod asks for {requested}; used are {used} of {limited}.",
      note: "{requested}, {used} and {limited} are lists such as pods=3",
    },
    "served-full": {
      text: "New pods of the {component} can't start, while others still work: quota {quota} of namespace {namespace} is used up. The pod asks for {requested}; used are {used} of {limited}.",
      note: "{requested}, {used} and {limited} are lists such as pods=3",
    },
    "refused-range": {
      text: "No pod of the {component} can start, because a limit range of namespace {namespace} doesn't allow what it asks for: {what}.",
      note: "{what} is in the API server's own words",
    },
    "served-range": {
      text: "New pods of the {component} can't start, while others still work, because a limit range of namespace {namespace} doesn't allow what they ask for: {what}.",
      note: "{what} is in the API server's own words",
    },
    ask: "Say how much cert-manager needs",
    "ask-changes":
      "Each component, and the Job that checks the API after an install, asks for 10m of cpu and 64Mi of memory, and may use 500m and 512Mi. All pods are made anew. cainjector may need more memory in a cluster with thousands of Secrets.",
    undo: "Set the values that were there before.",
    raise: "Raise the quota",
    "raise-changes": "Quota {quota} of namespace {namespace} allows {limits}, which is what is used now and what cert-manager's refused pods ask for.",
    "raise-undo": "Set it to {limits} again.",
    fit: "Ask for what the limit range allows",
    "fit-changes": "The {component} asks for {amount} of {resource}, and its pods are made anew.",
    quotas: "See the namespace's quotas, and what uses them up",
    ranges: "See the namespace's limit ranges, which may belong to another product",
    ...retryStrings,
    ...refusalStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "quota", (one, refused) => {
      const { component, namespace, message } = one;
      const state = one.served ? "served" : "refused";
      const missing = unspecified.exec(message)?.groups;
      const full = readExceededQuota(message);
      const about = { component, namespace };
      if (missing) {
        const values = { ...about, quota: missing.name ?? "", what: missing.what ?? "" };
        return { key: `${state}-unspecified` as const, values, fix: [...ask(one), quotas(namespace)] };
      }
      if (full) {
        const values = { ...about, quota: full.name, requested: listed(full.requested), used: listed(full.used), limited: listed(full.limited) };
        return { key: `${state}-full` as const, values, fix: [quotas(namespace), ...raise(one, refused)] };
      }
      const what = message.replace(/^.*? is forbidden: /s, "").replace(/[[\]]|\.$/g, "");
      return { key: `${state}-range` as const, values: { ...about, what }, transient: unready.test(message), fix: [ranges(namespace), ...obey(one)] };
    });
  },
});

function listed(amounts: Readonly<Record<string, string>>): string {
  return Object.entries(amounts)
    .map(([resource, amount]) => `${resource}=${amount}`)
    .join(", ");
}

function ask({ install }: RefusedPods): readonly FixStep<Key>[] {
  if (!install) return [];
  const step = { title: { key: "ask" as const }, changes: { key: "ask-changes" as const }, undo: { key: "undo" as const } };
  return setValues(install, step, modestValues(install), setModest(install));
}

function raise({ namespace, message }: RefusedPods, refused: readonly RefusedPods[]): readonly FixStep<Key>[] {
  const quota = readExceededQuota(message);
  const alike = refused.flatMap((one) => (one.namespace === namespace ? (readExceededQuota(one.message) ?? []) : []));
  const limits =
    quota &&
    raisedLimits(
      quota,
      alike.filter(({ name }) => name === quota.name),
    );
  if (!quota || !limits) return [];
  return [
    {
      title: { key: "raise" },
      for: "kubectl",
      command: `kubectl -n ${namespace} patch resourcequota ${quota.name} --type=merge -p '${JSON.stringify({ spec: { hard: limits } })}'`,
      effect: "cluster",
      changes: { key: "raise-changes", values: { quota: quota.name, namespace, limits: listed(limits) } },
      undo: { key: "raise-undo", values: { limits: listed(quota.limited) } },
    },
    ...retrySteps(namespace, refused),
  ];
}

function obey({ install, component, deployment, namespace, message }: RefusedPods): readonly FixStep<Key>[] {
  const { bound, resource, of, amount } = range.exec(message)?.groups ?? {};
  if (!install || !bound || !resource || !amount || of !== "Container") return [];
  const which = bound === "minimum" ? "requests" : "limits";
  const values: ChartValues = componentValues(component, { resources: { [which]: { [resource]: amount } } });
  const step = {
    title: { key: "fit" as const },
    changes: { key: "fit-changes" as const, values: { component, amount, resource } },
    undo: { key: "undo" as const },
  };
  const direct = `kubectl -n ${namespace} set resources deployment/${deployment.metadata.name} --${which}=${resource}=${amount}`;
  return setValues(install, step, values, direct);
}

function quotas(namespace: string): FixStep<Key> {
  return { title: { key: "quotas" }, for: "kubectl", command: `kubectl -n ${namespace} describe resourcequotas`, effect: "none" };
}

function ranges(namespace: string): FixStep<Key> {
  return { title: { key: "ranges" }, for: "kubectl", command: `kubectl -n ${namespace} describe limitranges,resourcequotas`, effect: "none" };
}
