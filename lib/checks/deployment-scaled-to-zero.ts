import { installs } from "../derive/installs.ts";
import { severityWithout } from "../derive/outage.ts";
import { componentValues, setValues } from "../kube/chart-values.ts";
import { componentOf } from "../kube/install.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { Deployment } from "../model/kubernetes.ts";

export default defineCheck({
  id: "deployment-scaled-to-zero",
  area: "pods",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  sources: ["catalogue 1.3 deployment-scaled-to-zero"],
  strings: {
    title: "Component scaled to zero",
    headline: "*A part of cert-manager is switched off,* because its Deployment asks for no pods.",
    why: "Somebody, or a tool that saves resources, set the number of replicas to 0. Nothing is broken, and nothing starts by itself: the registrations in the API server go on calling a webhook that doesn't run, and nobody renews certificates.",
    ignore: "If you switched it off on purpose, this is what you asked for; certificates that are due aren't renewed meanwhile.",
    controller: "Nothing is issued or renewed: Deployment {name} of the controller is scaled to zero.",
    webhook: "No Certificate or Issuer can be created or changed: Deployment {name} of the webhook is scaled to zero.",
    cainjector: "Nobody keeps the webhook's CA bundle up to date: Deployment {name} of cainjector is scaled to zero.",
    "by-manager": {
      text: "`{manager}` set the number of replicas last, at {time}.",
      note: "{manager} is a field manager such as kubectl or kube-controller-manager",
    },
    scale: "Start it now",
    "scale-changes": "One pod of {name} starts. Where a tool set the number to zero, it may do so again.",
    "scale-undo": "Scale it to zero again.",
    keep: "Keep it so at the next upgrade",
    "keep-changes": "The values ask for one replica of the {component}.",
    "keep-undo": "Set the value that was there before.",
    scaler: "See whether an autoscaler does it",
    none: "No component of cert-manager is installed.",
  },
  run({ deployments, webhooks }) {
    if (deployments.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const off = deployments.filter((deployment) => deployment.spec.replicas === 0);
    const problems = off.flatMap((deployment) => {
      const component = componentOf(deployment, deployment.spec.template.spec.containers);
      if (!component) return [];
      const { name, namespace = "" } = deployment.metadata;
      const subject = { kind: "Deployment", namespace, name };
      const install = installs({ deployments }).find((one) => one.components[component] === deployment);
      const step = { title: { key: "keep" as const }, changes: { key: "keep-changes" as const, values: { component } }, undo: { key: "keep-undo" as const } };
      return [
        {
          key: component,
          values: { name },
          severity: severityWithout(component, namespace, webhooks),
          subject,
          component,
          install: namespace,
          evidence: [{ object: subject, path: "spec.replicas", value: "0" }, ...lastScaled(deployment).map(({ evidence }) => evidence)],
          fix: [
            {
              title: { key: "scale" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} scale deployment/${name} --replicas=1`,
              effect: "cluster" as const,
              changes: { key: "scale-changes" as const, values: { name } },
              undo: { key: "scale-undo" as const },
            },
            ...(install ? setValues(install, step, componentValues(component, { replicaCount: 1 })) : []),
            {
              title: { key: "scaler" as const },
              for: "kubectl" as const,
              command: `kubectl -n ${namespace} get horizontalpodautoscalers`,
              effect: "none" as const,
            },
          ],
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    const last = off.flatMap(lastScaled)[0];
    return { status: "fail", problems, because: last ? [{ key: "by-manager", values: { manager: last.manager, time: last.time } }] : [] };
  },
});

/** Who wrote the number of replicas last, as the API server has it. */
function lastScaled(deployment: Deployment): readonly { manager: string; time: string; evidence: Evidence }[] {
  const { name, namespace, managedFields = [] } = deployment.metadata;
  const writers = managedFields.flatMap(({ manager = "", time = "", fieldsV1 }, index) => {
    const spec = (fieldsV1 as { "f:spec"?: Record<string, unknown> } | undefined)?.["f:spec"];
    const evidence = { object: { kind: "Deployment", namespace, name }, path: `metadata.managedFields[${index}].manager`, value: manager };
    return spec && "f:replicas" in spec && manager && time ? [{ manager, time, evidence }] : [];
  });
  return writers.sort((a, b) => Date.parse(b.time) - Date.parse(a.time)).slice(0, 1);
}
