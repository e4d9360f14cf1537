import type { Component } from "../model/check.ts";
import type { Container, Deployment, KubeObject } from "../model/kubernetes.ts";
import type { InstallMethod } from "../model/report.ts";

/** One cert-manager: the Deployments of one namespace and release (catalogue 0.1, 2). */
export interface Install {
  readonly namespace: string;
  /** Helm release name, or the value of `app.kubernetes.io/instance`. */
  readonly release: string;
  readonly method: InstallMethod;
  /** `vX.Y.Z`, or the empty string. */
  readonly version: string;
  readonly components: Readonly<Partial<Record<Component, Deployment>>>;
}

export const components: readonly Component[] = ["controller", "webhook", "cainjector"];

/** Selects what may be one of cert-manager's components; the container must agree (`componentOf`). */
export const componentSelector = "app.kubernetes.io/component in (controller,webhook,cainjector)";

const binary = /(?:^|\/)cert-manager-(?:controller|webhook|cainjector)(?:[:@]|$)/;
const redHatImage = /(?:^|\/)jetstack-cert-manager(?:-webhook|-cainjector)?-rhel\d+(?:[:@]|$)/;

/**
 * The component that a Deployment or pod runs, or undefined where it isn't cert-manager's. The label alone is too
 * generic: the container's name or image must agree.
 */
export function componentOf(object: KubeObject, containers: readonly Container[]): Component | undefined {
  const label = object.metadata.labels?.["app.kubernetes.io/component"];
  if (!components.includes(label as Component)) return undefined;
  const ours = containers.some((c) => c.name === `cert-manager-${label}` || binary.test(c.image) || redHatImage.test(c.image));
  return ours ? (label as Component) : undefined;
}

/** The container of cert-manager's own binary; sidecars come beside it. */
export function mainContainer(deployment: Deployment): Container | undefined {
  return ownContainer(deployment.spec.template.spec.containers);
}

/** The same among the containers of a pod. */
export function ownContainer(containers: readonly Container[]): Container | undefined {
  return containers.find((c) => c.name.startsWith("cert-manager-")) ?? containers.find((c) => binary.test(c.image)) ?? containers[0];
}

/** The value of `--flag=value` in the arguments of the component's container, with `$(POD_NAMESPACE)` filled in. */
export function flagOf(deployment: Deployment | undefined, flag: string): string | undefined {
  return flagsOf(deployment, flag)[0];
}

/** The values of a flag that may be given several times. */
export function flagsOf(deployment: Deployment | undefined, flag: string): readonly string[] {
  const args = (deployment && mainContainer(deployment)?.args) ?? [];
  const found = args.filter((arg) => arg.startsWith(`--${flag}=`));
  return found.map((arg) => arg.slice(flag.length + 3).replaceAll("$(POD_NAMESPACE)", deployment?.metadata.namespace ?? ""));
}

/** The ServiceAccount of a Deployment's pods. */
export function accountOf(deployment: Deployment): string {
  return deployment.spec.template.spec.serviceAccountName ?? "default";
}

/** Groups component Deployments into installs, ordered by namespace and release. */
export function installsIn(deployments: readonly Deployment[]): readonly Install[] {
  const groups = new Map<string, Deployment[]>();
  for (const deployment of deployments) {
    const key = `${deployment.metadata.namespace ?? ""}/${instanceOf(deployment)}`;
    groups.set(key, [...(groups.get(key) ?? []), deployment]);
  }
  return [...groups.keys()].sort().map((key) => installOf(groups.get(key) ?? []));
}

function installOf(deployments: readonly Deployment[]): Install {
  const first = deployments[0] as Deployment;
  const byComponent: Partial<Record<Component, Deployment>> = {};
  for (const deployment of deployments) {
    const component = componentOf(deployment, deployment.spec.template.spec.containers);
    if (component) byComponent[component] = deployment;
  }
  const main = byComponent.controller ?? first;
  return {
    namespace: first.metadata.namespace ?? "",
    release: first.metadata.annotations?.["meta.helm.sh/release-name"] ?? instanceOf(first),
    method: deployments.some(isRedHatOperand) ? "olm" : methodOf(first),
    version: versionOf(main),
    components: byComponent,
  };
}

function instanceOf(deployment: Deployment): string {
  return deployment.metadata.labels?.["app.kubernetes.io/instance"] ?? "cert-manager";
}

/** How the object got here. The chart renders managed-by under `helm template` too: only the annotation proves a release (catalogue 0.7.2). */
export function methodOf(object: KubeObject): InstallMethod {
  const { labels = {}, annotations = {}, ownerReferences = [] } = object.metadata;
  if (labels["olm.owner"] || ownerReferences.some((owner) => owner.kind === "ClusterServiceVersion")) return "olm";
  if (annotations["meta.helm.sh/release-name"]) return "helm";
  return labels["app.kubernetes.io/name"] ? "static" : "unknown";
}

/**
 * Whether cert-manager Operator for Red Hat OpenShift made the Deployment: it marks what it applies, its images have names of their own, and it
 * puts back what is edited (catalogue 1.1 foreign-distribution).
 */
export function isRedHatOperand({ metadata, spec }: Deployment): boolean {
  const marked = metadata.annotations?.["operator.openshift.io/spec-hash"] !== undefined;
  return marked || spec.template.spec.containers.some((container) => redHatImage.test(container.image));
}

/** Whether Helm 4 applied the install: its upgrades stop at every field that somebody set otherwise by hand, unless they are told to force it. */
export function isAppliedByHelm4({ components: found = {} }: Partial<Pick<Install, "components">>): boolean {
  return Object.values(found).some(({ metadata }) => metadata.managedFields?.some(({ manager, operation }) => manager === "helm" && operation === "Apply"));
}

function versionOf(deployment: Deployment): string {
  const label = deployment.metadata.labels?.["app.kubernetes.io/version"];
  const tag = /:(v\d+\.\d+\.\d+[^@]*)/.exec(mainContainer(deployment)?.image ?? "")?.[1];
  return tag ?? label ?? "";
}

/** Where the components take their leader-election leases (chart default: kube-system). */
export function leaderElectionNamespace(install: Install): string {
  return (
    flagOf(install.components.cainjector, "leader-election-namespace") ?? flagOf(install.components.controller, "leader-election-namespace") ?? "kube-system"
  );
}

/** The Secret in which the webhook keeps its CA, or undefined where its certificate comes from files (OLM, `--tls-cert-file`). */
export function caSecretOf(install: Install): { namespace: string; name: string } | undefined {
  const webhook = install.components.webhook;
  const name = flagOf(webhook, "dynamic-serving-ca-secret-name");
  if (!name || flagOf(webhook, "tls-cert-file")) return undefined;
  return { namespace: flagOf(webhook, "dynamic-serving-ca-secret-namespace") ?? install.namespace, name };
}

/** The Service that the install's own manifest puts in front of its webhook. */
export function webhookServiceOf(install: Install): { namespace: string; name: string } | undefined {
  const webhook = install.components.webhook;
  if (!webhook) return undefined;
  const first = flagOf(webhook, "dynamic-serving-dns-names")?.split(",")[0]?.split(".")[0];
  return { namespace: install.namespace, name: first || webhook.metadata.name };
}
