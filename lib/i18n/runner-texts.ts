import type { Because } from "../checks/run.ts";
import type { FactKey, MissingReason, NotAskedBecause } from "../model/facts.ts";
import type { Locale } from "./locales.ts";
import { formatMessage } from "./message.ts";

/** What the runner says in every language: names of facts, and why something is unknown or wasn't asked. */
interface RunnerTexts {
  readonly facts: Readonly<Record<FactKey, string>>;
  readonly missing: Readonly<Record<MissingReason, string>>;
  readonly notAsked: Readonly<Record<NotAskedBecause, string>>;
  readonly pending: string;
  readonly thrown: string;
}

const en: RunnerTexts = {
  facts: {
    version: "the Kubernetes version",
    deployments: "cert-manager's Deployments",
    pods: "cert-manager's pods",
    admission: "the registrations of admission webhooks",
    webhooks: "cert-manager's webhook registrations",
    crds: "cert-manager's CRDs",
    crdDetails: "what cert-manager's CRDs hold",
    apiServices: "APIs that other servers answer for",
    webhookServices: "the webhook's Service",
    endpointSlices: "the webhook's endpoints",
    caSecrets: "the webhook's CA Secret",
    leases: "the leader-election leases",
    events: "events",
    imagePullSecrets: "image pull Secrets",
    logs: "container logs",
    leaseRoles: "the leader-election Roles",
    namespaces: "the namespaces",
    injectionSources: "other products' Certificates for webhooks",
    componentRoles: "the Roles of cert-manager's components",
    webhookNodes: "the webhook's nodes",
    nodes: "the nodes",
    daemonSets: "the DaemonSets",
    controlPlanePods: "the control plane's pods",
    networkPolicies: "the NetworkPolicies",
    pluginPolicies: "the network plugin's policies",
    instanceCounts: "the number of stored objects",
    helmReleases: "Helm's releases",
    identityReaders: "products that decide by the requester's name",
    clusterServiceVersions: "what OLM is to install",
    startupChecks: "the Jobs that check the API after an install",
    apiProbe: "the API check",
    reportedErrors: "reported errors",
  },
  missing: {
    forbidden: "Not allowed to read {fact}: {detail}",
    unauthorized: "Could not read {fact}: {detail}",
    "not-collected": "The snapshot holds nothing about {fact}.",
    timeout: "Could not read {fact} in time: {detail}",
    throttled: "Could not read {fact}: {detail}",
    "server-error": "Could not read {fact}: {detail}",
    "bad-answer": "Could not make sense of the answer about {fact}: {detail}",
    "not-served": "Could not read {fact}: {detail}",
    unreachable: "Could not read {fact}: {detail}",
  },
  notAsked: {
    "nothing-installed": "No cert-manager component is installed.",
    "no-crds": "cert-manager's CRDs are not installed.",
    "components-ready": "Every component is ready, so there was nothing to look into.",
    "images-pulled": "No pod waits for an image.",
    "leases-held": "The leases are held.",
    "way-open": "No call to the webhook is known to have been lost on its way.",
    "no-name-mismatch": "No error speaks of a certificate.",
    "bundles-filled": "No other product waits for a CA.",
    "crds-owned": "The CRDs belong to the installed release.",
    "no-operator": "No operator installs cert-manager here.",
    "registrations-strict": "Both registrations are there, and their failures count.",
    "crds-usual": "The CRDs are like those of every release since 1.7.",
    snapshot: "A snapshot can't be asked: this needs a live API server.",
    "other-certificate-source": "The webhook's certificate doesn't come from a CA of its own.",
  },
  pending: "Still waiting for {fact}.",
  thrown: "This check failed itself, which is a bug: {detail}",
};

const dictionaries: Readonly<Record<Locale, RunnerTexts>> = { en };

/** The name of a fact, as it stands in a sentence. */
export function factName(fact: FactKey, locale: Locale): string {
  return dictionaries[locale].facts[fact];
}

/** Why a check has no verdict, as a sentence. */
export function becauseText(because: Exclude<Because, { from: "check" }>, locale: Locale): string {
  const texts = dictionaries[locale];
  switch (because.from) {
    case "missing":
      return formatMessage(texts.missing[because.reason], { fact: texts.facts[because.fact], detail: because.detail }, locale);
    case "pending":
      return formatMessage(texts.pending, { fact: texts.facts[because.fact] }, locale);
    case "thrown":
      return formatMessage(texts.thrown, { detail: because.detail }, locale);
    case "not-asked":
      return texts.notAsked[because.reason];
  }
}
