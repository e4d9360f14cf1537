import { restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import type { Component } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

type Key = "look" | "again" | "again-changes" | "scale" | "scale-changes" | "scale-undo" | "watch";

/** The commands that get a component going which has no working pod: one that was stopped is started, another is looked at and restarted. */
export function startAgain({ namespace, components }: Install, component: Component): readonly FixStep<Key>[] {
  const deployment = components[component];
  if (!deployment) return [];
  const { name, labels } = deployment.metadata;
  const watch: FixStep<Key> = {
    title: { key: "watch" },
    for: "kubectl",
    command: `kubectl -n ${namespace} rollout status deployment/${name} --timeout=2m`,
    effect: "none",
  };
  if (deployment.spec.replicas === 0) {
    const command = `kubectl -n ${namespace} scale deployment/${name} --replicas=1`;
    return [{ title: { key: "scale" }, for: "kubectl", command, effect: "cluster", changes: { key: "scale-changes" }, undo: { key: "scale-undo" } }, watch];
  }
  const instance = labels?.["app.kubernetes.io/instance"];
  const selector = [`app.kubernetes.io/component=${component}`, ...(instance ? [`app.kubernetes.io/instance=${instance}`] : [])].join(",");
  return [
    {
      title: { key: "look" },
      for: "kubectl",
      command: `kubectl -n ${namespace} describe pods -l ${selector}\nkubectl -n ${namespace} logs -l ${selector} --tail=30`,
      effect: "none",
    },
    { title: { key: "again" }, for: "kubectl", command: restart(namespace, name), effect: "cluster", changes: { key: "again-changes" } },
    watch,
  ];
}
