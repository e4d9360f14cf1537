import { installServed, registrationRef } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { reapply } from "../kube/commands.ts";
import { isAppliedByGitOps } from "../kube/gitops.ts";
import type { Install } from "../kube/install.ts";
import { patchRegistration } from "../kube/patch-registration.ts";
import { type Narrowing, narrowings, shippedNamespaces, shippedRules } from "../kube/registration-scope.ts";
import { isAtLeast } from "../kube/version.ts";
import { defineCheck, type Severity } from "../model/check.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

/** So many requests are named; the rest is counted by who reads on. */
const shownRequests = 4;

export default defineCheck({
  id: "webhook-rule-tampered",
  area: "webhook-registration",
  severity: "degraded",
  needs: ["webhooks", "deployments"],
  uses: [],
  causedBy: [],
  sources: ["catalogue 1.6 webhook-rule-tampered", "catalogue 2(b)", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Webhook registration that lets requests past",
    headline: "*Some requests for cert-manager's kinds go past its webhook,* because a registration is narrower than cert-manager made it.",
    "refused-headline": "*CertificateRequests are refused in some namespaces,* because only one of the two registrations counts there.",
    "exempt-headline": "*Objects in some namespaces are stored unchecked,* because a selector exempts those namespaces from cert-manager's webhook.",
    why: "The webhook sees what its registrations send to it and nothing else. What goes past it is stored without being checked, and CertificateRequests don't say who made them.",
    ignore: "Where namespaces are exempt on purpose, by Helm values, this is as it should be.",
    rules: {
      text: "{kind} {name} has no rule for {requests}: those go past the webhook.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {requests} is a list like: UPDATE certificates.cert-manager.io",
    },
    objects: {
      text: "{kind} {name} looks only at objects with certain labels; all others go past the webhook.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    conditions: {
      text: "{kind} {name} looks only at requests that meet a condition of its own ({conditions}); cert-manager's manifests have none.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {conditions} are their names",
    },
    exempt: {
      text: "{kind} {name} leaves out namespaces that a selector names.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    "opt-in": {
      text: "{kind} {name} looks only at namespaces with certain labels; objects in all others go past the webhook.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    refused: {
      text: "{kind} {name} leaves out namespaces that the validating registration still looks at: every CertificateRequest there is refused, because nobody filled in who made it.",
      note: "{kind} is MutatingWebhookConfiguration",
    },
    compared: "Terms that cert-manager's manifests or the platforms of Azure and Google put there don't count.",
    namespaces: "See which namespaces there are, with their labels",
    relief: "Put back what cert-manager ships",
    "relief-changes": "The webhook sees all requests again that it is meant to see. Objects that are stored already stay as they are.",
    "relief-undo": "Patch the old value back in; the evidence shows it.",
    restore: "Put the registration back as the manifest has it",
    "restore-changes":
      "The manifest of the same version is applied again. Changes made by hand to cert-manager's own objects are undone; what Helm values say stays. Certificates and Secrets stay as they are.",
    none: "No registration belongs to an install of cert-manager.",
  },
  run({ webhooks, deployments }) {
    const found = installs({ deployments });
    const owned = webhooks.flatMap(({ configuration }) => {
      const install = installServed(configuration, { webhooks, installs: found });
      return install ? [{ configuration, install }] : [];
    });
    if (owned.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const narrow = owned.flatMap(({ configuration, install }) =>
      (configuration.webhooks ?? []).flatMap((entry, index, entries) => {
        const others = entries.filter((other) => other !== entry);
        return narrowings(configuration.kind, entry, install.namespace, others).map((narrowing) => ({ configuration, install, index, narrowing }));
      }),
    );
    if (narrow.length === 0) return { status: "pass" };
    const problems = narrow.map((one) => problemOf(one, narrow));
    const all = (...keys: readonly string[]) => problems.every(({ key }) => keys.includes(key));
    return {
      status: "fail",
      problems,
      ...(problems.some(({ key }) => key === "refused")
        ? { headline: { key: "refused-headline" as const } }
        : all("exempt", "opt-in")
          ? { headline: { key: "exempt-headline" as const } }
          : {}),
      because: [{ key: "compared" }],
    };
  },
});

interface Narrow {
  readonly configuration: WebhookConfiguration;
  readonly install: Install;
  readonly index: number;
  readonly narrowing: Narrowing;
}

const fields = { rules: "rules", namespaces: "namespaceSelector", objects: "objectSelector", conditions: "matchConditions" } as const;

function problemOf(one: Narrow, all: readonly Narrow[]) {
  const { configuration, install, index, narrowing } = one;
  const { kind, metadata } = configuration;
  const field = fields[narrowing.by];
  const key = keyOf(one, all);
  const object = registrationRef(configuration);
  const relief = {
    title: { key: "relief" as const },
    for: "kubectl" as const,
    command: patchRegistration(configuration, index, [shipped(kind, narrowing)]),
    effect: "cluster" as const,
    changes: { key: "relief-changes" as const },
    undo: { key: "relief-undo" as const },
  };
  // Older releases have other rules; their own manifest knows them.
  const hasShippedForm = isAtLeast(install.version, "1.14.0") && install.method !== "olm" && !isAppliedByGitOps(configuration);
  return {
    key,
    values: {
      kind,
      name: metadata.name,
      requests: narrowing.by === "rules" ? narrowing.requests.slice(0, shownRequests).join(", ") : "",
      conditions: narrowing.by === "conditions" ? narrowing.names.join(", ") : "",
    },
    severity: severityOf(key),
    subject: object,
    install: install.namespace,
    evidence: [{ object, path: `webhooks[${index}].${field}`, value: JSON.stringify(configuration.webhooks?.[index]?.[field]) ?? null }],
    fix: [
      ...(narrowing.by === "namespaces"
        ? [{ title: { key: "namespaces" as const }, for: "kubectl" as const, command: "kubectl get namespaces --show-labels", effect: "none" as const }]
        : []),
      ...(hasShippedForm ? [relief] : []),
      // The manifest mends all registrations of an install, so it is told with the first.
      ...(all.find((other) => other.install === install) === one
        ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } })
        : []),
    ],
  };
}

function keyOf({ configuration, install, narrowing }: Narrow, all: readonly Narrow[]): "rules" | "objects" | "conditions" | "exempt" | "opt-in" | "refused" {
  if (narrowing.by !== "namespaces") return narrowing.by;
  const isMutating = configuration.kind === "MutatingWebhookConfiguration";
  const validatesToo = all.some(
    (other) =>
      other.install === install &&
      other.configuration.kind !== configuration.kind &&
      other.narrowing.by === "namespaces" &&
      JSON.stringify(other.narrowing.selector) === JSON.stringify(narrowing.selector),
  );
  if (isMutating && !validatesToo) return "refused";
  return narrowing.optIn ? "opt-in" : "exempt";
}

function severityOf(key: string): Severity {
  if (key === "refused") return "degraded";
  // The chart has a value for it: whoever leaves namespaces out by name may want just that.
  return key === "exempt" ? "info" : "warning";
}

function shipped(kind: WebhookConfiguration["kind"], { by }: Narrowing) {
  if (by === "conditions") return { op: "remove" as const, field: fields[by] };
  const value = { rules: shippedRules(kind), namespaces: shippedNamespaces(kind), objects: {} }[by];
  return { op: "replace" as const, field: fields[by], value };
}
