import type { Component } from "../model/check.ts";
import type { ChartValues } from "./chart-values.ts";
import { components, type Install, isRedHatOperand } from "./install.ts";

/** What cert-manager Operator for Red Hat OpenShift reads its settings from (catalogue 1.1 foreign-distribution). */
const settings = "certmanagers.operator.openshift.io cluster";

/** The fields of the CertManager resource, and of a Subscription's `config`, that take what the chart calls otherwise. */
const redHatFields: Readonly<Record<string, readonly [field: string, inner?: string]>> = {
  resources: ["overrideResources"],
  replicaCount: ["overrideReplicas"],
  nodeSelector: ["overrideScheduling", "nodeSelector"],
  tolerations: ["overrideScheduling", "tolerations"],
};
const subscriptionFields = ["resources", "nodeSelector", "tolerations"];

/** The ClusterServiceVersion that OLM made the install from, or undefined where its objects don't name one. */
export function csvOf({ components: found }: Pick<Install, "components">): string | undefined {
  const names = Object.values(found).flatMap(({ metadata }) => [
    metadata.labels?.["olm.owner"],
    metadata.ownerReferences?.find((owner) => owner.kind === "ClusterServiceVersion")?.name,
  ]);
  return names.find(Boolean);
}

/** Makes the operator put back what it prescribes. */
export function resync(install: Install): string {
  const { namespace } = install;
  const csv = csvOf(install);
  if (!csv) return "kubectl -n cert-manager-operator rollout restart deployment/cert-manager-operator-controller-manager";
  return `kubectl -n ${namespace} annotate clusterserviceversion ${csv} certmedic/resync="$(date +%s)" --overwrite`;
}

/**
 * A command that has the operator change what the chart's values would change, since it puts back Deployments that are edited; undefined
 * where it has no field for one of them.
 */
export function operatorPatch(install: Install, values: ChartValues): string | undefined {
  if (Object.values(install.components).some(isRedHatOperand)) {
    const spec: Record<string, unknown> = {};
    for (const [component, own] of byComponent(values)) {
      if (Object.keys(own).some((key) => !(key in redHatFields))) return undefined;
      const config: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(own)) {
        const [field = "", inner] = redHatFields[key] ?? [];
        config[field] = inner ? { ...(config[field] as object | undefined), [inner]: value } : value;
      }
      spec[`${component}Config`] = config;
    }
    return `kubectl patch ${settings} --type=merge -p '${JSON.stringify({ spec })}'`;
  }
  const csv = csvOf(install);
  const parts = byComponent(values).map(([, own]) => own);
  if (!csv || parts.some((own) => Object.keys(own).some((key) => !subscriptionFields.includes(key)))) return undefined;
  const subscription = `$(kubectl -n ${install.namespace} get subscriptions.operators.coreos.com -o jsonpath='{.items[?(@.status.installedCSV=="${csv}")].metadata.name}')`;
  const config = JSON.stringify({ spec: { config: Object.assign({}, ...parts) } });
  return `kubectl -n ${install.namespace} patch subscriptions.operators.coreos.com "${subscription}" --type=merge -p '${config}'`;
}

/** The chart keeps the controller's values at the top, the others' under their names. */
function byComponent(values: ChartValues): readonly (readonly [Component, ChartValues])[] {
  const named = Object.entries(values).flatMap(([key, value]) =>
    components.includes(key as Component) ? [[key as Component, value as ChartValues] as const] : [],
  );
  const top = Object.fromEntries(Object.entries(values).filter(([key]) => !components.includes(key as Component)));
  return Object.keys(top).length > 0 ? [["controller", top], ...named] : named;
}
