import { severityWithout } from "../derive/outage.ts";
import { componentOf } from "../kube/install.ts";
import { defineCheck, type Severity } from "../model/check.ts";
import type { Deployment } from "../model/kubernetes.ts";

export default defineCheck({
  id: "deployment-paused",
  area: "pods",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  sources: ["catalogue 1.3 deployment-paused", "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment"],
  strings: {
    title: "Deployment whose rollout is paused",
    headline: "*A part of cert-manager isn't running,* because the rollout of its Deployment is paused.",
    "headline-behind": "*A change to cert-manager doesn't take effect,* because the rollout of a Deployment is paused; the pods of before still work.",
    "headline-idle": "*The next change to cert-manager won't take effect,* because the rollout of a Deployment is paused.",
    why: "Somebody stopped the rollout with `kubectl rollout pause`, or a tool that rolls out step by step did. Kubernetes then keeps the pods that are there and makes none from a newer template, whatever Helm or `kubectl` change.",
    ignore: "While somebody makes several changes that are to be rolled out together, this is meant to be so.",
    stopped: "Deployment {name} of the {component} has no ready pod, and none is made while its rollout is paused.",
    behind: "Deployment {name} of the {component} still runs pods of an older template: its rollout is paused.",
    idle: "Deployment {name} of the {component} runs as it should, and its rollout is paused.",
    resume: "Go on with the rollout",
    "resume-changes": "Kubernetes rolls out the template that {name} has now, one pod after the other.",
    "resume-undo": "`kubectl -n {namespace} rollout pause deployment/{name}`",
    none: "No component of cert-manager is installed.",
  },
  run({ deployments, webhooks }) {
    if (deployments.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = deployments.flatMap((deployment) => {
      const component = componentOf(deployment, deployment.spec.template.spec.containers);
      // One that is switched off makes no pods either way.
      if (!component || deployment.spec.paused !== true || deployment.spec.replicas === 0) return [];
      const { name, namespace = "" } = deployment.metadata;
      const subject = { kind: "Deployment", namespace, name };
      const key = stateOf(deployment);
      const severity: Severity = key === "stopped" ? severityWithout(component, namespace, webhooks) : key === "behind" ? "degraded" : "warning";
      return [
        {
          key,
          values: { name, component },
          severity,
          subject,
          component,
          install: namespace,
          evidence: [
            { object: subject, path: "spec.paused", value: "true" },
            ...(["readyReplicas", "updatedReplicas"] as const).map((field) => ({
              object: subject,
              path: `status.${field}`,
              value: deployment.status?.[field] === undefined ? null : String(deployment.status[field]),
            })),
          ],
          fix: [
            {
              title: { key: "resume" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} rollout resume deployment/${name}`,
              effect: "cluster" as const,
              changes: { key: "resume-changes" as const, values: { name } },
              undo: { key: "resume-undo" as const, values: { namespace, name } },
            },
          ],
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    const states = problems.map(({ key }) => key);
    if (states.includes("stopped")) return { status: "fail", problems };
    return { status: "fail", problems, headline: { key: states.includes("behind") ? "headline-behind" : "headline-idle" } };
  },
});

function stateOf({ spec, status }: Deployment): "stopped" | "behind" | "idle" {
  if ((status?.readyReplicas ?? 0) === 0) return "stopped";
  return (status?.updatedReplicas ?? 0) < (spec.replicas ?? 1) ? "behind" : "idle";
}
