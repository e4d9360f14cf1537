import { registrationRef } from "../derive/called-services.ts";
import { certificateFiles } from "../derive/certificate-files.ts";
import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { metCertificate } from "../derive/met-certificate.ts";
import { caEntries } from "../derive/trusted-ca.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { reapply } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { mainContainer } from "../kube/install.ts";
import { isCovered, servedNamesOf } from "../kube/serving-certificate.ts";
import { defineCheck, type Evidence, type Problem } from "../model/check.ts";
import { type Fact, knownValue, type Lookup, type WebhookRegistration } from "../model/facts.ts";
import type { Deployment, Service } from "../model/kubernetes.ts";

export default defineCheck({
  id: "serving-cert-wrong-san",
  area: "ca-bundle",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "webhooks", "webhookServices", "webhookNodes", "pods", "logs"],
  causedBy: ["multiple-installs", "webhook-config-wrong-target", "webhook-duplicate-configs"],
  patterns: [
    {
      in: "webhook-call",
      text: /x509: certificate is valid for (?!.*(?:compute\.internal|\.ec2\.internal|\bip-\d))(?=[^"]*(?:webhook|\.svc)[^"]*, not )(?<names>.+), not (?<wanted>[^\s"]+)/,
    },
  ],
  sources: ["catalogue 1.7 serving-cert-wrong-san", "https://github.com/cert-manager/cert-manager/issues/2602"],
  strings: {
    title: "Webhook certificate for another name",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server calls the webhook by a name that its certificate isn't for.",
    why: "The webhook puts the names of its own Service into its certificate, and the API server refuses a certificate without the name that it called. A registration or a Service that was changed by hand, a copy from another namespace, and a Service that leads to another webhook all end like this.",
    own: "The API server calls {target} as `{wanted}`, and that webhook's certificate is for {names} only.",
    declared: {
      text: "{kind} {name} calls `{wanted}`, and the arguments of {webhook} put {names} into its certificate only.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    stranger: "The API server calls {target} as `{wanted}`, and what answers there has a certificate for {names}. That isn't the webhook of this install.",
    "by-name": "Names are compared before issuers are, so the CA bundle wasn't even looked at.",
    "not-node": "These aren't the names of a node.",
    restore: "Put Service, registrations and arguments back as the install's manifest has them",
    "restore-changes":
      "The manifest of the same version is applied again, in which they have the same name. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    where: "See where the Service leads",
    unseen: "The API check saw no certificate of the webhook.",
    whose: "The certificate is for {names}, and nothing that could be read tells whether that is a node.",
    files: "The webhook serves a certificate from files.",
  },
  run({ apiProbe, reportedErrors, deployments, webhooks, webhookServices, webhookNodes, pods, logs }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "answered") return { status: "pass" };
    const found = installs({ deployments: knownValue(deployments) ?? [] });
    if (made.outcome !== "failed" || !made.call.reason.includes("x509: ")) {
      const problems = declared({ deployments, webhooks, webhookServices });
      if (problems.length > 0) return { status: "fail", problems };
      return made.outcome === "unknown" ? { status: "needs", fact: "apiProbe" } : { status: "not-applicable", because: { key: "unseen" } };
    }
    const { call, evidence, subject } = made;
    const install = found.find(({ namespace }) => namespace === call.namespace);
    const met = metCertificate(call, install ? componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook") : [], webhookNodes);
    if (!met || met.whose === "node") return { status: "pass" };
    if (met.whose === "unknown") return { status: "not-applicable", because: { key: "whose", values: { names: met.names } } };
    if (install && certificateFiles(install, { pods, logs })) return { status: "not-applicable", because: { key: "files" } };
    const own = install ? servedNamesOf(install) : [];
    const isOwn = own.length > 0 && met.names.split(", ").every((name) => own.includes(name));
    return {
      status: "fail",
      problems: [
        {
          key: isOwn ? "own" : "stranger",
          values: { target: targetOf(call), wanted: met.wanted, names: met.names },
          severity: "blocker",
          subject,
          component: "webhook",
          install: call.namespace,
          evidence: [evidence, ...(install && isOwn ? argumentsOf(install) : [])],
          fix: [...(call.namespace && call.service ? [where(call.namespace, call.service)] : []), ...(install ? restore(install) : [])],
        },
      ],
      because: [{ key: "by-name" }],
      ruledOut: [{ check: "serving-cert-is-kubelet", key: "not-node" }],
    };
  },
});

/** Registration entries that lead to a webhook whose arguments leave the name out by which it is called. */
function declared(facts: {
  readonly deployments: Fact<readonly Deployment[]>;
  readonly webhooks: Fact<readonly WebhookRegistration[]>;
  readonly webhookServices: Fact<readonly Lookup<Service>[]>;
}) {
  const entries = caEntries({ deployments: knownValue(facts.deployments) ?? [], webhooks: knownValue(facts.webhooks) ?? [] });
  return entries.flatMap(({ configuration, index, install }): Problem<"declared" | "where" | "restore" | "restore-changes">[] => {
    const called = configuration.webhooks?.[index]?.clientConfig.service;
    const service = knownValue(facts.webhookServices)?.find(({ ref }) => ref.namespace === called?.namespace && ref.name === called?.name)?.object;
    const names = servedNamesOf(install);
    if (!called || !service || !leadsTo(service, install) || names.length === 0) return [];
    const wanted = `${called.name}.${called.namespace}.svc`;
    if (isCovered(wanted, names)) return [];
    const subject = registrationRef(configuration);
    return [
      {
        key: "declared",
        values: { kind: subject.kind, name: subject.name, wanted, names: names.join(", "), webhook: install.components.webhook?.metadata.name ?? "" },
        severity: "blocker",
        subject,
        component: "webhook",
        install: install.namespace,
        evidence: [{ object: subject, path: `webhooks[${index}].clientConfig.service.name`, value: called.name }, ...argumentsOf(install)],
        fix: restore(install),
      },
    ];
  });
}

function leadsTo({ metadata, spec }: Service, { namespace, components: { webhook } }: Install): boolean {
  const labels = webhook?.spec.template.metadata?.labels ?? {};
  const selector = Object.entries(spec?.selector ?? {});
  return metadata.namespace === namespace && selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

function argumentsOf({ namespace, components: { webhook } }: Install): readonly Evidence[] {
  const containers = webhook?.spec.template.spec.containers ?? [];
  const main = webhook && mainContainer(webhook);
  const object = { kind: "Deployment", namespace, name: webhook?.metadata.name ?? "" };
  return (main?.args ?? []).flatMap((arg, index) =>
    main && arg.startsWith("--dynamic-serving-dns-names=")
      ? [{ object, path: `spec.template.spec.containers[${containers.indexOf(main)}].args[${index}]`, value: arg }]
      : [],
  );
}

function where(namespace: string, service: string) {
  return {
    title: { key: "where" as const },
    for: "kubectl" as const,
    command: `kubectl -n ${namespace} get service ${service} -o wide\nkubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${service} -o wide\nkubectl get pods -A -o wide -l app.kubernetes.io/component=webhook`,
    effect: "none" as const,
  };
}

function restore(install: Install) {
  return reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } });
}
