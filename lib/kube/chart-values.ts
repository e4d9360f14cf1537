import { stringify } from "yaml";
import type { Component } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Deployment } from "../model/kubernetes.ts";
import type { Text } from "../model/text.ts";
import { helmUpgrade } from "./commands.ts";
import { isAppliedByGitOps } from "./gitops.ts";
import type { Install } from "./install.ts";
import { operatorPatch } from "./operator.ts";

type Value = string | number | boolean | null | readonly Value[] | ChartValues;
/** Values of cert-manager's Helm chart. */
export interface ChartValues {
  readonly [key: string]: Value;
}

/** One component's values, where the chart keeps them: the controller's lie at the top. */
export function componentValues(component: Component, values: ChartValues): ChartValues {
  return component === "controller" ? values : { [component]: values };
}

/** Whether the install comes from cert-manager's own chart or manifests: others have other values (catalogue 1.1 foreign-distribution). */
export function isUpstreamChart(install: Install): boolean {
  const chart = deploymentsOf(install)[0]?.metadata.labels?.["helm.sh/chart"];
  return chart === undefined || /^cert-manager-v\d/.test(chart);
}

/**
 * The ways to change chart values, the one that fits the install first: a Helm upgrade, values for whoever renders the
 * chart, and `kubectl`, a command that changes the objects themselves. An operator's install has no values: there its own settings change, where it has them.
 */
export function setValues<S extends string>(
  install: Install,
  step: { title: Text<S>; changes: Text<S>; undo?: Text<S> },
  values: ChartValues,
  kubectl?: string,
): readonly FixStep<S>[] {
  const direct: readonly FixStep<S>[] = kubectl ? [{ ...step, for: "kubectl", command: kubectl, effect: "cluster" }] : [];
  if (install.method === "olm") {
    const command = operatorPatch(install, values);
    return command ? [{ ...step, for: "olm", command, effect: "cluster" }] : [];
  }
  if (!isUpstreamChart(install)) return direct;
  const yaml: FixStep<S> = { ...step, for: "values", command: stringify(values, { aliasDuplicateObjects: false }).trimEnd(), effect: "cluster" };
  if (deploymentsOf(install).some(isAppliedByGitOps)) return [yaml];
  const helm: FixStep<S> = { ...step, for: "helm", command: helmWithValues(install, values), effect: "cluster" };
  return install.method === "helm" ? [helm, yaml] : [...direct, yaml];
}

/** `helm upgrade` to the same chart with some values changed. An image's tag may be what is wrong, so the chart's label says which version it is. */
export function helmWithValues(install: Install, values: ChartValues): string {
  return helmUpgrade({ ...install, version: chartVersion(install) }, ...flags(values));
}

/** The version of the manifests, which the tag of an image needn't agree with. */
export function chartVersion(install: Install): string {
  const labels = deploymentsOf(install).map((deployment) => deployment.metadata.labels ?? {});
  const found = labels.flatMap((label) => /^cert-manager-(v.+)$/.exec(label["helm.sh/chart"] ?? "")?.[1] ?? label["app.kubernetes.io/version"] ?? []);
  return found.find((version) => /^v\d/.test(version)) ?? install.version;
}

function deploymentsOf(install: Install): readonly Deployment[] {
  return Object.values(install.components);
}

function flags(value: Value, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => flags(item, `${path}[${index}]`));
  // Helm would take digits for a number, which an annotation mustn't be.
  if (typeof value === "string" && /^(?:[\d.]+|true|false)$/.test(value)) return [`--set-string ${quoted(`${path}=${value}`)}`];
  // A comma would begin another setting.
  if (value === null || typeof value !== "object") return [quoted(`${path}=${String(value).replaceAll(",", "\\,")}`)];
  return Object.entries(value).flatMap(([key, item]) => flags(item, `${path}${path && "."}${key.replaceAll(".", "\\.")}`));
}

/** As a shell word: a variable stays one. */
function quoted(word: string): string {
  if (word.includes("$")) return `"${word}"`;
  return /^[\w.=/:-]*$/.test(word) ? word : `'${word}'`;
}
