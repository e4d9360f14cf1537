import { type RefusedPods, refusalOutcome, refusalStrings } from "../derive/refused-pods.ts";
import { type ChartValues, componentValues, setValues } from "../kube/chart-values.ts";
import type { Install } from "../kube/install.ts";
import { type Component, defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";

const range = /runAsUser: Invalid value: (?<user>\d+): must be in the ranges: \[(?<ranges>[^\]]*)\]/;
const ids = ["runAsUser", "runAsGroup", "fsGroup", "supplementalGroups"] as const;

type Key = "unset" | "unset-changes" | "unset-undo" | "range";

export default defineCheck({
  id: "openshift-runasuser-range",
  area: "platform",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    {
      in: "anywhere",
      text: /pods "[^"]*cert-manager[^"]*" is forbidden: unable to validate against any security context constraint(?![\s\S]*seccomp may not be set)[\s\S]*?must be in the ranges/,
    },
  ],
  sources: [
    "catalogue 1.3 openshift-runasuser-range",
    "https://docs.openshift.com/container-platform/latest/authentication/managing-security-context-constraints.html",
  ],
  strings: {
    title: "User number outside the namespace's range",
    headline: "*A part of cert-manager can't start,* because it asks to run as a user outside the range that OpenShift gave its namespace.",
    "headline-served":
      "*A change to cert-manager doesn't take effect,* because the new pods ask to run as a user outside the namespace's range; the old ones still work.",
    why: "OpenShift gives each namespace a range of user numbers and picks one for each pod by itself. A number in the values, such as `securityContext.runAsUser`, is refused unless it lies in that range. cert-manager runs as any user.",
    refused: "No pod of the {component} can start: it asks to run as user {user}, and namespace {namespace} has the range {ranges}.",
    served:
      "New pods of the {component} can't start, while the old ones still work: they ask to run as user {user}, and namespace {namespace} has the range {ranges}.",
    unset: "Leave the number to OpenShift",
    "unset-changes":
      "The pods of cert-manager no longer ask for a user or group of their own and are made anew. Nothing else of their security contexts changes.",
    "unset-undo": "Set the values that were there before.",
    range: "See the namespace's range",
    ...refusalStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "user-range", (one) => {
      const { user = "?", ranges = "?" } = range.exec(one.message)?.groups ?? {};
      return {
        key: one.served ? "served" : "refused",
        values: { component: one.component, namespace: one.namespace, user, ranges },
        fix: fixOf(one),
      };
    });
  },
});

function fixOf({ install, namespace }: RefusedPods): readonly FixStep<Key>[] {
  const look: FixStep<Key> = {
    title: { key: "range" },
    for: "kubectl",
    command: `kubectl get namespace ${namespace} -o jsonpath='{.metadata.annotations}'`,
    effect: "none",
  };
  if (!install) return [look];
  const step = { title: { key: "unset" as const }, changes: { key: "unset-changes" as const }, undo: { key: "unset-undo" as const } };
  const setters = (Object.entries(install.components) as [Component, Deployment][]).filter(([, of]) => idsOf(of).length > 0);
  const values: ChartValues = Object.assign(
    {},
    ...setters.map(([component, of]) => componentValues(component, { securityContext: Object.fromEntries(idsOf(of).map((id) => [id, null])) })),
  );
  return [...(setters.length > 0 ? setValues(install, step, values, patches(install, setters)) : []), look];
}

/** The numbers that the pods of a component ask for as a whole. */
function idsOf({ spec }: Deployment): readonly string[] {
  return ids.filter((id) => spec.template.spec.securityContext?.[id] !== undefined);
}

function patches({ namespace }: Install, setters: readonly [Component, Deployment][]): string {
  return setters
    .map(([, of]) => {
      const operations = idsOf(of).map((id) => ({ op: "remove", path: `/spec/template/spec/securityContext/${id}` }));
      return `kubectl -n ${namespace} patch deployment ${of.metadata.name} --type=json -p '${JSON.stringify(operations)}'`;
    })
    .join("\n");
}
