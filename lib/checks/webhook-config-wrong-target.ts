import { callerEvidence, installBehind, registrationRef } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { type WebhookCallOutcome, webhookCall } from "../derive/webhook-call.ts";
import { type WrongTarget, wrongTargets } from "../derive/wrong-targets.ts";
import { reapply } from "../kube/commands.ts";
import { garblingOf } from "../kube/garbled-name.ts";
import { isAppliedByGitOps } from "../kube/gitops.ts";
import { flagsOf, type Install } from "../kube/install.ts";
import { patchRegistration } from "../kube/patch-registration.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { WebhookRegistration } from "../model/facts.ts";

export default defineCheck({
  id: "webhook-config-wrong-target",
  area: "webhook-registration",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "deployments"],
  uses: ["apiProbe", "reportedErrors"],
  causedBy: [],
  sources: [
    "catalogue 1.6 webhook-config-wrong-target",
    "https://github.com/cert-manager/cert-manager/issues/2602",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
  ],
  strings: {
    title: "Webhook registration that calls the wrong Service",
    headline: "*No Certificate or Issuer can be created or changed,* because a registration calls another Service than the one in front of the webhook.",
    "ignored-headline": "*cert-manager's objects are stored unchecked,* because a registration calls another Service than the one in front of the webhook.",
    why: "The API server knows the webhook only by the registration: it calls the Service that is named there, whatever runs beside it. A manifest that was moved to another namespace by hand has that namespace in several places, and a restore brings back the one of then.",
    elsewhere: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, where no cert-manager runs. Its own install is in namespace {install}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    unknown: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, which doesn't exist. The one in front of the webhook is {own}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    "other-pods": {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, which leads to other pods than the webhook's. The one in front of the webhook is {own}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    url: {
      text: "{kind} {name} calls the webhook as {host}, a name that isn't among those in its certificate: {names}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {host} is a host name",
    },
    "not-missing": "The Service in front of the webhook is there: what is wrong is the name by which it is called.",
    "not-orphaned": "cert-manager runs and has no other registration of this kind, so this one isn't a leftover.",
    relief: "Point the registration at the webhook's Service",
    "relief-changes": "The API server calls the webhook of the install in namespace {namespace} from the next request on. Nothing else changes.",
    "relief-undo": "Patch the old name and namespace back in.",
    correct: "Make all of the manifest agree again",
    "correct-changes":
      "The manifest of the same version is applied again, with the registration as it belongs to this install. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    names: "See which names the webhook's certificate is made for",
    none: "No registration calls cert-manager's webhook.",
  },
  run({ webhooks, webhookServices, deployments, apiProbe, reportedErrors }) {
    if (webhooks.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const astray = wrongTargets({ webhooks, webhookServices, deployments }).filter(({ ref }) => !garblingOf(ref.name));
    const misnamed = misnamedUrls(webhooks, installs({ deployments }));
    const made = webhookCall({ apiProbe, reportedErrors });
    const problems = [
      ...astray.map((one) => problemOf(one, made, astray.find((other) => other.install === one.install) === one)),
      // A proxy in between may have a certificate of its own: only a call that fails proves it.
      ...(made.outcome === "failed" ? misnamed.filter(({ host }) => made.message.includes(host)).map((one) => problemOfUrl(one, made.evidence)) : []),
    ];
    if (problems.length === 0) return misnamed.length > 0 && apiProbe.state !== "known" ? { status: "needs", fact: "apiProbe" } : { status: "pass" };
    return {
      status: "fail",
      problems,
      ...(problems.every(({ severity }) => severity === "degraded") ? { headline: { key: "ignored-headline" as const } } : {}),
      ruledOut:
        astray.length > 0
          ? [
              { check: "webhook-service-missing", key: "not-missing" as const },
              { check: "webhook-config-orphaned", key: "not-orphaned" as const },
            ]
          : [],
    };
  },
});

/** The manifest mends all entries of an install, so it is told with the first. */
function problemOf({ how, configuration, index, ref, service, install, own }: WrongTarget, made: WebhookCallOutcome, isFirst: boolean) {
  const { kind, metadata } = configuration;
  const { namespace } = ref;
  const seen = made.outcome === "failed" && made.call.service === ref.name && made.call.namespace === namespace;
  const relief = {
    title: { key: "relief" as const },
    for: "kubectl" as const,
    command: patchRegistration(configuration, index, [
      { op: "replace", field: "clientConfig/service/namespace", value: own.namespace },
      { op: "replace", field: "clientConfig/service/name", value: own.name },
    ]),
    effect: "cluster" as const,
    changes: { key: "relief-changes" as const, values: { namespace: install.namespace } },
    undo: { key: "relief-undo" as const },
  };
  return {
    key: how,
    values: { kind, name: metadata.name, service: ref.name, namespace, install: install.namespace, own: own.name },
    severity: configuration.webhooks?.[index]?.failurePolicy === "Ignore" ? ("degraded" as const) : ("blocker" as const),
    subject: registrationRef(configuration),
    install: namespace,
    evidence: [
      ...callerEvidence({ ref, service, callers: [{ configuration, index }] }),
      service ? { object: ref, path: "spec.selector", value: JSON.stringify(service.spec?.selector ?? {}) } : { object: ref, path: "metadata", value: null },
      ...(seen ? [made.evidence] : []),
    ],
    fix: [...(isAppliedByGitOps(configuration) || install.method === "olm" ? [] : [relief]), ...(isFirst ? correct(install) : [])],
  };
}

function correct(install: Install) {
  return reapply(install, { title: { key: "correct" as const }, changes: { key: "correct-changes" as const } });
}

interface MisnamedUrl {
  readonly configuration: WebhookRegistration["configuration"];
  readonly index: number;
  readonly install: Install;
  readonly url: string;
  readonly host: string;
  readonly names: string;
}

/** Entries with a URL whose host isn't among the names that the webhook puts into its certificate. */
function misnamedUrls(webhooks: readonly WebhookRegistration[], found: readonly Install[]): readonly MisnamedUrl[] {
  return webhooks.flatMap(({ configuration }) =>
    (configuration.webhooks ?? []).flatMap(({ clientConfig: { url } }, index) => {
      const only = found.length === 1 ? found[0] : undefined;
      const install = url === undefined ? undefined : (installBehind(configuration, { webhooks, installs: found }) ?? only);
      // Each flag may hold several names, and each install has several flags.
      const names = flagsOf(install?.components.webhook, "dynamic-serving-dns-names").flatMap((flag) => flag.split(","));
      if (!install || !url || names.length === 0) return [];
      const host = URL.canParse(url) ? new URL(url).hostname : url;
      return names.includes(host) ? [] : [{ configuration, index, install, url, host, names: names.join(", ") }];
    }),
  );
}

function problemOfUrl({ configuration, index, install, url, host, names }: MisnamedUrl, answer: Evidence) {
  const { kind, metadata } = configuration;
  const name = install.components.webhook?.metadata.name ?? "";
  return {
    key: "url" as const,
    values: { kind, name: metadata.name, host, names },
    severity: "blocker" as const,
    subject: registrationRef(configuration),
    install: install.namespace,
    evidence: [{ object: registrationRef(configuration), path: `webhooks[${index}].clientConfig.url`, value: url }, answer],
    fix: [
      {
        title: { key: "names" as const },
        for: "kubectl" as const,
        command: `kubectl -n ${install.namespace} get deployment ${name} -o jsonpath='{.spec.template.spec.containers[*].args}'`,
        effect: "none" as const,
      },
      ...correct(install),
    ],
  };
}
