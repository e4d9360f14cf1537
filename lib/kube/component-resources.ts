import type { Component } from "../model/check.ts";
import type { Deployment } from "../model/kubernetes.ts";
import { type ChartValues, componentValues } from "./chart-values.ts";
import type { Install } from "./install.ts";

/** Enough for an install of a few hundred certificates; the chart itself asks for nothing and sets no limit. */
const modest = { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "500m", memory: "512Mi" } };

/** Values that give all components, and the Job after an install, requests and limits. */
export function modestValues(install: Install): ChartValues {
  const each = deploymentsOf(install).map(([component]) => componentValues(component, { resources: modest }));
  return Object.assign({}, ...each, { startupapicheck: { resources: modest } });
}

/** The same by kubectl, for the components alone. */
export function setModest(install: Install): string {
  const amounts = `--requests=cpu=${modest.requests.cpu},memory=${modest.requests.memory} --limits=cpu=${modest.limits.cpu},memory=${modest.limits.memory}`;
  return deploymentsOf(install)
    .map(([, { metadata }]) => `kubectl -n ${install.namespace} set resources deployment/${metadata.name} ${amounts}`)
    .join("\n");
}

function deploymentsOf(install: Install): readonly [Component, Deployment][] {
  return Object.entries(install.components) as [Component, Deployment][];
}
