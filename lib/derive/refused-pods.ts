import { restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { componentOf } from "../kube/install.ts";
import { type RefusalKind, refusalKind } from "../kube/refusal.ts";
import type { Component, Evidence, Outcome, Severity } from "../model/check.ts";
import type { Fact, WebhookRegistration } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import type { Text } from "../model/text.ts";
import { fixOnce } from "./fix-once.ts";
import { installs } from "./installs.ts";
import { severityWithout } from "./outage.ts";

/** A component whose pods the API server doesn't take. */
export interface RefusedPods {
  readonly deployment: Deployment;
  readonly install?: Install;
  readonly component: Component;
  readonly namespace: string;
  readonly subject: ObjectRef;
  /** The API server's words. */
  readonly message: string;
  /** Whether pods that were let in before still do the work, as after an upgrade. */
  readonly served: boolean;
  readonly severity: Severity;
  readonly evidence: readonly Evidence[];
}

interface Known {
  readonly deployments: readonly Deployment[];
  readonly webhooks: Fact<readonly WebhookRegistration[]>;
}

/**
 * The components whose pods are refused for a reason of this kind; each refusal has one kind. The Deployment itself says so
 * for as long as it lasts, where events are forgotten after an hour.
 */
function refusedPods({ deployments, webhooks }: Known, kind: RefusalKind): readonly RefusedPods[] {
  return deployments.flatMap((deployment) => {
    const index = deployment.status?.conditions?.findIndex(({ type, status }) => type === "ReplicaFailure" && status === "True") ?? -1;
    const message = deployment.status?.conditions?.[index]?.message;
    const component = componentOf(deployment, deployment.spec.template.spec.containers);
    if (typeof message !== "string" || !component || isComplete(deployment) || refusalKind(message) !== kind) return [];
    const { name, namespace = "" } = deployment.metadata;
    const subject = { kind: "Deployment", namespace, name };
    const ready = deployment.status?.readyReplicas;
    const served = (ready ?? 0) > 0;
    return [
      {
        deployment,
        install: installs({ deployments }).find((one) => one.components[component] === deployment),
        component,
        namespace,
        subject,
        message,
        served,
        severity: served ? "degraded" : severityWithout(component, namespace, webhooks),
        evidence: [
          { object: subject, path: `status.conditions[${index}].message`, value: message },
          { object: subject, path: "status.readyReplicas", value: ready === undefined ? null : String(ready) },
        ],
      },
    ];
  });
}

/** Whether all pods of the newest version are there all the same: the refusal is over. */
function isComplete({ spec, status }: Deployment): boolean {
  const wanted = spec.replicas ?? 1;
  return (status?.updatedReplicas ?? 0) >= wanted && (status?.readyReplicas ?? 0) >= wanted;
}

/** What every check of refused pods says; for its `strings`, beside a `headline-served` of its own. */
export const refusalStrings = {
  sure: "The API server says so itself about each pod that it refuses, and the Deployment keeps its words.",
  none: "No component of cert-manager is installed.",
} as const;

/** What a check says of one component's refused pods. */
interface Told<S extends string> extends Text<S> {
  readonly transient?: boolean;
  readonly fix: readonly FixStep<S>[];
}

/** The outcome of a check about refusals of one kind. `tell` is given one component and all that are refused alike. */
export function refusalOutcome<S extends string>(
  facts: Known,
  kind: RefusalKind,
  tell: (one: RefusedPods, refused: readonly RefusedPods[]) => Told<S>,
): Outcome<S | "headline-served" | keyof typeof refusalStrings> {
  if (facts.deployments.length === 0) return { status: "not-applicable", because: { key: "none" } };
  const refused = refusedPods(facts, kind);
  if (refused.length === 0) return { status: "pass" };
  const problems = refused.map((one) => {
    const { severity, subject, component, namespace, evidence } = one;
    return { ...tell(one, refused), severity, subject, component, install: namespace, evidence };
  });
  return {
    status: "fail",
    problems: fixOnce(problems),
    because: [{ key: "sure" }],
    ...(refused.every(({ served }) => served) ? { headline: { key: "headline-served" as const } } : {}),
  };
}

/** What `retrySteps` says; for the `strings` of checks that offer it. */
export const retryStrings = {
  retry: "Then let the pods be made at once",
  "retry-changes": "The refused pods are made anew. Without this the next attempt may come a quarter of an hour later.",
} as const;

/** Kubernetes waits longer after each refusal; a restart doesn't wait. For all components of the install that are refused alike. */
export function retrySteps(install: string, refused: readonly RefusedPods[]): readonly FixStep<keyof typeof retryStrings>[] {
  const command = refused
    .filter(({ namespace }) => namespace === install)
    .map(({ namespace, deployment }) => restart(namespace, deployment.metadata.name))
    .join("\n");
  return [{ title: { key: "retry" }, for: "kubectl", command, effect: "cluster", changes: { key: "retry-changes" } }];
}
