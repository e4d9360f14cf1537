import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import type { Evidence } from "../model/check.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";
import { startFailures } from "./start-failures.ts";

export default defineCheck({
  id: "cainjector-not-running",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["pods", "webhooks", "caSecrets"],
  causedBy: [...startFailures],
  sources: [
    "catalogue 1.9 cainjector-not-running",
    "https://cert-manager.io/docs/concepts/ca-injector/",
    "https://cert-manager.io/docs/installation/best-practice/",
  ],
  strings: {
    title: "cainjector without a ready pod",
    headline: "*The webhook's CA isn't brought to the API server,* because no pod of cainjector is ready.",
    why: "cainjector copies the webhook's CA into the webhook registrations, and the CAs of other products into theirs. A copy that is there goes on working until the CA is renewed, after about eight months. Without one the API server refuses every request for cert-manager's kinds.",
    ignore: "While the pods of a new install start this is normal.",
    blocked: "{name} in namespace {namespace} has no ready pod, and the webhook registrations don't have the webhook's CA.",
    unseen: "{name} in namespace {namespace} has no ready pod. Whether the webhook registrations have the webhook's CA couldn't be read.",
    covered: "{name} in namespace {namespace} has no ready pod. The webhook's CA is in its registrations already, so calls go through until it is renewed.",
    sure: "The Deployment says how many of its pods are ready; it asks for at least one and has none, or was told to have none.",
    "not-forbidden": "A cainjector that may not take its lease has a ready pod.",
    look: "See why it doesn't start",
    again: "Start it again",
    "again-changes": "The pods of cainjector are replaced. Nothing else changes; certificates are issued and renewed meanwhile.",
    scale: "Let it run",
    "scale-changes": "One pod of cainjector starts. Its place as leader is free, so it works within seconds.",
    "scale-undo": "Scale it to 0 again.",
    watch: "Watch it become ready",
    none: "No Deployment of cainjector is here: a missing one is a matter of the install, and an operator may fill in the CA itself.",
  },
  run({ deployments, pods, webhooks, caSecrets }) {
    const withCainjector = installs({ deployments }).flatMap((install) => {
      const { cainjector } = install.components;
      return cainjector ? [{ install, cainjector }] : [];
    });
    if (withCainjector.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = withCainjector
      .filter(({ cainjector }) => (cainjector.status?.readyReplicas ?? 0) === 0)
      .map(({ install, cainjector }) => {
        const severity = severityWithoutCainjector(install, { deployments, webhooks, caSecrets });
        const subject = { kind: "Deployment", namespace: install.namespace, name: cainjector.metadata.name };
        const stopped = cainjector.spec.replicas === 0;
        return {
          key: webhooks.state !== "known" ? ("unseen" as const) : severity === "blocker" ? ("blocked" as const) : ("covered" as const),
          values: { name: cainjector.metadata.name, namespace: install.namespace },
          severity,
          subject,
          component: "cainjector" as const,
          install: install.namespace,
          transient: !stopped,
          evidence: [
            { object: subject, path: "spec.replicas", value: String(cainjector.spec.replicas ?? 1) },
            { object: subject, path: "status.readyReplicas", value: cainjector.status?.readyReplicas === undefined ? null : "0" },
            ...componentPods({ pods: knownValue(pods) ?? [] }, install, "cainjector").map(stateOf),
          ],
          fix: fix(install, cainjector, stopped),
        };
      });
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      because: [{ key: "sure" }],
      ruledOut: [{ check: "cainjector-leader-election-forbidden", key: "not-forbidden" }],
    };
  },
});

function stateOf({ metadata, status }: Pod): Evidence {
  const object = { kind: "Pod", namespace: metadata.namespace, name: metadata.name };
  const index = status?.containerStatuses?.findIndex(({ state }) => state?.waiting?.reason) ?? -1;
  const reason = status?.containerStatuses?.[index]?.state?.waiting?.reason;
  return reason
    ? { object, path: `status.containerStatuses[${index}].state.waiting.reason`, value: reason }
    : { object, path: "status.phase", value: status?.phase ?? null };
}

function fix({ namespace }: Install, { metadata: { name, labels } }: Deployment, stopped: boolean) {
  const kubectl = { for: "kubectl" as const };
  const watch = {
    ...kubectl,
    title: { key: "watch" as const },
    command: `kubectl -n ${namespace} rollout status deployment/${name} --timeout=2m`,
    effect: "none" as const,
  };
  if (stopped) {
    return [
      {
        ...kubectl,
        title: { key: "scale" as const },
        command: `kubectl -n ${namespace} scale deployment/${name} --replicas=1`,
        effect: "cluster" as const,
        changes: { key: "scale-changes" as const },
        undo: { key: "scale-undo" as const },
      },
      watch,
    ];
  }
  const instance = labels?.["app.kubernetes.io/instance"];
  const selector = ["app.kubernetes.io/component=cainjector", ...(instance ? [`app.kubernetes.io/instance=${instance}`] : [])].join(",");
  return [
    {
      ...kubectl,
      title: { key: "look" as const },
      command: `kubectl -n ${namespace} describe pods -l ${selector}\nkubectl -n ${namespace} logs -l ${selector} --tail=30`,
      effect: "none" as const,
    },
    {
      ...kubectl,
      title: { key: "again" as const },
      command: restart(namespace, name),
      effect: "cluster" as const,
      changes: { key: "again-changes" as const },
    },
    watch,
  ];
}
