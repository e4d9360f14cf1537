import type { FactKey } from "../model/facts.ts";
import { type Locale, locales } from "./locales.ts";
import { factName } from "./runner-texts.ts";
import { type Ui, ui } from "./ui.ts";

/** What the live pages of a cluster say, sent to the browser as data in one language. */
export interface ClusterTexts extends Pick<Ui, "common" | "bar" | "diagnosis" | "explain" | "empty" | "rules" | "finding"> {
  readonly locale: Locale;
  readonly facts: Readonly<Record<FactKey, string>>;
}

const factKeys = Object.keys({
  version: 0,
  deployments: 0,
  pods: 0,
  admission: 0,
  webhooks: 0,
  crds: 0,
  crdDetails: 0,
  apiServices: 0,
  webhookServices: 0,
  endpointSlices: 0,
  caSecrets: 0,
  leases: 0,
  events: 0,
  imagePullSecrets: 0,
  logs: 0,
  leaseRoles: 0,
  namespaces: 0,
  componentRoles: 0,
  injectionSources: 0,
  webhookNodes: 0,
  nodes: 0,
  daemonSets: 0,
  controlPlanePods: 0,
  networkPolicies: 0,
  pluginPolicies: 0,
  instanceCounts: 0,
  helmReleases: 0,
  identityReaders: 0,
  clusterServiceVersions: 0,
  startupChecks: 0,
  apiProbe: 0,
  reportedErrors: 0,
} satisfies Record<FactKey, 0>) as FactKey[];

/** Made once per language: a page that hands the same object to several islands sends it once. */
const texts = new Map(locales.map((locale) => [locale, make(locale)]));

export function clusterTexts(locale: Locale): ClusterTexts {
  return texts.get(locale) ?? make(locale);
}

function make(locale: Locale): ClusterTexts {
  const { common, bar, diagnosis, explain, empty, rules, finding } = ui(locale);
  const facts = Object.fromEntries(factKeys.map((key) => [key, factName(key, locale)])) as Record<FactKey, string>;
  return { locale, common, bar, diagnosis, explain, empty, rules, finding, facts };
}
