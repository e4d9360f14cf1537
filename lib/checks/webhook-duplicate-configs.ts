import { installBehind, isSupplanted, registrationRef } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { isOurHook } from "../kube/error-text.ts";
import type { Install } from "../kube/install.ts";
import { defineCheck, type Evidence, type Severity } from "../model/check.ts";
import type { Lookup, WebhookRegistration } from "../model/facts.ts";
import type { Service, WebhookConfiguration } from "../model/kubernetes.ts";

export default defineCheck({
  id: "webhook-duplicate-configs",
  area: "webhook-registration",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "deployments"],
  uses: [],
  causedBy: ["multiple-installs"],
  sources: [
    "catalogue 1.6 webhook-duplicate-configs",
    "https://github.com/cert-manager/cert-manager/issues/4790",
    "https://github.com/cert-manager/cert-manager/issues/3508",
  ],
  strings: {
    title: "More than one registration of the same kind",
    headline: "*Every registration can refuse every request for cert-manager's kinds,* and more than one of the same kind is registered.",
    why: "The API server calls all registrations whose rules fit, whoever made them, and each has a CA bundle of its own. One of them that can't be called is enough to have everything refused, however healthy the install is that you look at.",
    dead: {
      text: "{kind} {name} calls Service {service} in namespace {namespace}, where no cert-manager runs any more, beside the registration of the install in namespace {install}.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    rival: {
      text: "{kind} {name} calls the cert-manager in namespace {namespace}, beside the registration of the one in namespace {install}: both must accept every request.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    untrusted: {
      text: "{kind} {name} calls the same webhook as {keeper}, but trusts another CA, so its calls fail.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {keeper} is the name of another one",
    },
    twice: {
      text: "{kind} {name} calls the same webhook as {keeper}: every request is sent to it twice.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {keeper} is the name of another one",
    },
    "dead-headline":
      "*No Certificate or Issuer can be created or changed,* because a registration of an earlier install calls a webhook that isn't there any more.",
    "twice-headline": "*Requests for cert-manager's kinds are sent to the same webhook twice,* because two registrations call it.",
    "not-orphaned": "What it calls exists.",
    compare: "Compare the registrations: age, Service, who made them",
    remove: "Remove the one that nothing needs",
    "remove-changes":
      "The API server stops calling by {name}. The other registration of the same kind stays, so objects are still checked. No Certificate, Issuer or Secret is touched.",
    "remove-undo": "Whoever made it makes it again: a Helm upgrade of its release, or its operator.",
    nobody: "None of the registrations belongs to a cert-manager that runs.",
    one: "Each kind of registration is there once at most.",
  },
  run({ webhooks, webhookServices, deployments }) {
    const found = installs({ deployments });
    const judged = webhooks
      .filter(({ configuration }) => configuration.webhooks?.some(({ name }) => isOurHook(name)))
      // What calls nothing at all is a leftover or has lost its Service.
      .filter(({ configuration }) => !callsNothing(configuration, webhookServices))
      .map((registration) => ({ registration, install: installBehind(registration.configuration, { webhooks, installs: found }) }));
    const byKind = [...Map.groupBy(judged, ({ registration }) => registration.configuration.kind).values()].filter((same) => same.length > 1);
    if (byKind.length === 0) return { status: "not-applicable", because: { key: "one" } };
    const problems = byKind.flatMap((same) => {
      const keeper = keeperAmong(same, webhooks);
      if (!keeper) return [];
      return same.filter((one) => one !== keeper).flatMap((one) => [problemOf(one, keeper)]);
    });
    if (problems.length === 0) return { status: "not-applicable", because: { key: "nobody" } };
    const worst = (keys: readonly string[]) => problems.every(({ key }) => keys.includes(key));
    return {
      status: "fail",
      problems,
      ...(worst(["dead"]) ? { headline: { key: "dead-headline" as const } } : worst(["twice"]) ? { headline: { key: "twice-headline" as const } } : {}),
      ruledOut: [{ check: "webhook-config-orphaned", key: "not-orphaned" }],
    };
  },
});

interface Owned {
  readonly registration: WebhookRegistration;
  readonly install: Install | undefined;
}

/** The one that belongs: it has its install's name or calls its install's own Service; the oldest of those. */
function keeperAmong(same: readonly Owned[], webhooks: readonly WebhookRegistration[]): (Owned & { readonly install: Install }) | undefined {
  const living = same.filter((one): one is Owned & { readonly install: Install } => one.install !== undefined);
  const rank = ({ registration: { configuration }, install }: Owned & { readonly install: Install }) =>
    (configuration.metadata.name === install.components.webhook?.metadata.name ? 0 : 2) + (isSupplanted(configuration, install, webhooks) ? 1 : 0);
  return [...living].sort((a, b) => rank(a) - rank(b) || ageOf(a).localeCompare(ageOf(b)))[0];
}

function ageOf({ registration }: Owned): string {
  return registration.configuration.metadata.creationTimestamp ?? "";
}

function problemOf({ registration, install }: Owned, keeper: Owned & { readonly install: Install }) {
  const { configuration } = registration;
  const { kind, metadata } = configuration;
  const service = serviceOf(configuration);
  const how = howDouble({ registration, install }, keeper);
  const other = keeper.registration.configuration;
  const compare = {
    title: { key: "compare" as const },
    for: "kubectl" as const,
    command:
      "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='KIND:.kind,NAME:.metadata.name,CREATED:.metadata.creationTimestamp,NAMESPACE:.webhooks[*].clientConfig.service.namespace,SERVICE:.webhooks[*].clientConfig.service.name,RELEASE:.metadata.annotations.meta\\.helm\\.sh/release-name,OPERATOR:.metadata.labels.olm\\.owner' | grep -E 'KIND|cert-?manager'",
    effect: "none" as const,
  };
  const remove = {
    title: { key: "remove" as const },
    for: "kubectl" as const,
    command: `kubectl delete ${kind.toLowerCase()} ${metadata.name}`,
    effect: "cluster" as const,
    changes: { key: "remove-changes" as const, values: { name: metadata.name } },
    undo: { key: "remove-undo" as const },
  };
  return {
    key: how,
    values: {
      kind,
      name: metadata.name,
      service: service?.name ?? "",
      namespace: service?.namespace ?? install?.namespace ?? "",
      install: keeper.install.namespace,
      keeper: other.metadata.name,
    },
    severity: severityOf(how, configuration),
    subject: registrationRef(configuration),
    install: service?.namespace ?? keeper.install.namespace,
    evidence: [...evidenceOf(configuration), ...evidenceOf(other)],
    // Which of two live installs is to go is for the check of the installs to say.
    fix: how === "rival" ? [compare] : [compare, remove],
  };
}

function howDouble({ registration, install }: Owned, keeper: Owned & { readonly install: Install }): "dead" | "rival" | "untrusted" | "twice" {
  if (!install) return "dead";
  if (install !== keeper.install) return "rival";
  const trusted = new Set(keeper.registration.caBundles.flatMap((bundle) => bundle ?? []).map(({ fingerprint }) => fingerprint));
  const shared = registration.caBundles.some((bundle) => bundle?.some(({ fingerprint }) => trusted.has(fingerprint)));
  return shared || trusted.size === 0 ? "twice" : "untrusted";
}

function severityOf(how: ReturnType<typeof howDouble>, { webhooks }: WebhookConfiguration): Severity {
  if (how === "twice") return "warning";
  if (webhooks?.every(({ failurePolicy }) => failurePolicy === "Ignore")) return "warning";
  return how === "rival" ? "degraded" : "blocker";
}

function callsNothing(configuration: WebhookConfiguration, services: readonly Lookup<Service>[]): boolean {
  const service = serviceOf(configuration);
  return services.some(({ ref, object }) => object === null && ref.namespace === service?.namespace && ref.name === service?.name);
}

function serviceOf({ webhooks = [] }: WebhookConfiguration): { readonly namespace: string; readonly name: string } | undefined {
  return webhooks.find(({ clientConfig }) => clientConfig.service)?.clientConfig.service;
}

function evidenceOf(configuration: WebhookConfiguration): readonly Evidence[] {
  const object = registrationRef(configuration);
  const { clientConfig } = configuration.webhooks?.[0] ?? {};
  const service = clientConfig?.service;
  return [
    { object, path: "metadata.creationTimestamp", value: configuration.metadata.creationTimestamp ?? null },
    service
      ? { object, path: "webhooks[0].clientConfig.service", value: `${service.namespace}/${service.name}` }
      : { object, path: "webhooks[0].clientConfig.url", value: clientConfig?.url ?? null },
  ];
}
