import { caArrived } from "../derive/ca-arrived.ts";
import { registrationRef } from "../derive/called-services.ts";
import { fixOnce } from "../derive/fix-once.ts";
import { type CaEntry, caEntries } from "../derive/trusted-ca.ts";
import { reapply } from "../kube/commands.ts";
import { methodOf } from "../kube/install.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

const fromSecret = "cert-manager.io/inject-ca-from-secret";
const others = ["cert-manager.io/inject-ca-from", "cert-manager.io/inject-apiserver-ca"];

export default defineCheck({
  id: "inject-annotation-wrong",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["webhooks", "deployments"],
  uses: ["caSecrets"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: /invalid secret source: missing namespace\/ prefix/ }],
  sources: [
    "catalogue 1.7 inject-annotation-wrong",
    "https://cert-manager.io/docs/concepts/ca-injector/",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
  ],
  strings: {
    title: "Registration that doesn't ask for the webhook's CA",
    headline: "*No Certificate or Issuer can be created or changed,* because the webhook's registration doesn't ask cainjector for the webhook's CA.",
    "headline-later": "*The webhook stops answering once it renews its CA,* because its registration doesn't ask cainjector for that CA.",
    why: "cainjector writes a CA only into registrations whose annotation says where it is, and passes over all others without a word. The annotation has to name the webhook's own CA Secret, with its namespace.",
    absent: {
      text: "{kind} {name} has no annotation that names Secret {secret}, so cainjector passes it over.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {secret} is namespace/name",
    },
    prefixless: {
      text: "{kind} {name} asks for the CA of Secret `{value}` without naming a namespace, which cainjector refuses; it has to be `{secret}`.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {secret} is namespace/name",
    },
    other: {
      text: "{kind} {name} asks for the CA in `{value}`, and the webhook's certificate is signed by the one in Secret `{secret}`.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {secret} is namespace/name",
    },
    later: {
      text: "{kind} {name} doesn't ask for the CA in Secret `{secret}`. It has that CA all the same, so calls go through until the webhook renews it.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {secret} is namespace/name",
    },
    sure: "The name of the Secret comes from the webhook's own arguments.",
    "not-secret": "cainjector doesn't even look at the Secret, whatever that allows.",
    annotate: "Name the webhook's CA Secret in the annotation",
    "annotate-changes": "cainjector copies the CA of Secret {secret} into what is annotated within seconds, and from then on whenever it changes.",
    "annotate-undo": "Set the annotation back to what the evidence shows.",
    reapply: "Put the registrations back as the install's manifest has them",
    "reapply-changes":
      "The manifest of the same version is applied again, with both registrations and their annotations. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    none: "No registration is one that cainjector has to fill in.",
  },
  run({ webhooks, deployments, caSecrets }) {
    // OLM fills in what it registers itself.
    const filled = caEntries({ webhooks, deployments }).filter(({ install }) => install.components.cainjector);
    const entries = filled.filter(({ configuration }) => methodOf(configuration) !== "olm");
    const seen = new Set<WebhookConfiguration>();
    const first = entries.filter(({ configuration }) => !seen.has(configuration) && seen.add(configuration));
    if (first.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const wrong = first.filter(({ configuration, secret }) => configuration.metadata.annotations?.[fromSecret] !== `${secret.namespace}/${secret.name}`);
    const fixes = new Map([...new Set(wrong.map(({ install }) => install))].map((one) => [one, fix(wrong.filter(({ install }) => install === one))]));
    const problems = wrong.map((entry) => {
      const { configuration, install, secret } = entry;
      const wanted = `${secret.namespace}/${secret.name}`;
      const value = configuration.metadata.annotations?.[fromSecret];
      const arrived = caArrived(install.namespace, {
        deployments,
        webhooks: { state: "known", value: webhooks.filter((one) => one.configuration === configuration) },
        caSecrets,
      });
      const subject = registrationRef(configuration);
      const instead = value ?? others.map((annotation) => configuration.metadata.annotations?.[annotation]).find(Boolean);
      const key =
        arrived === "yes"
          ? ("later" as const)
          : instead === undefined
            ? ("absent" as const)
            : instead.includes("/")
              ? ("other" as const)
              : ("prefixless" as const);
      return {
        key,
        values: { kind: subject.kind, name: subject.name, secret: wanted, value: instead ?? "" },
        // A bundle that can't be compared may be the right one.
        severity: arrived === "no" ? ("blocker" as const) : ("warning" as const),
        subject,
        install: install.namespace,
        evidence: annotationsOf(configuration),
        fix: fixes.get(install) ?? [],
      };
    });
    if (problems.length === 0) return { status: "pass" };
    const blocked = problems.some(({ severity }) => severity === "blocker");
    return {
      status: "fail",
      problems: fixOnce(problems),
      ...(blocked ? {} : { headline: { key: "headline-later" as const } }),
      because: [{ key: "sure" }],
      ruledOut: [{ check: "ca-secret-injection-not-allowed", key: "not-secret" }],
    };
  },
});

function annotationsOf(configuration: WebhookConfiguration): readonly Evidence[] {
  const object = registrationRef(configuration);
  const { annotations = {} } = configuration.metadata;
  return [fromSecret, ...others.filter((annotation) => annotations[annotation] !== undefined)].map((annotation) => ({
    object,
    path: metadataPath("annotations", annotation),
    value: annotations[annotation] ?? null,
  }));
}

/** What is wrong in one install is put right at once. */
function fix(entries: readonly CaEntry[]) {
  const { install, secret } = entries[0] as CaEntry;
  const annotate = ({ configuration }: CaEntry): string => {
    const { kind, name } = registrationRef(configuration);
    const misleading = others.filter((annotation) => configuration.metadata.annotations?.[annotation] !== undefined).map((annotation) => ` ${annotation}-`);
    return `kubectl annotate ${kind.toLowerCase()} ${name} ${fromSecret}=${secret.namespace}/${secret.name}${misleading.join("")} --overwrite`;
  };
  return [
    {
      title: { key: "annotate" as const },
      for: "kubectl" as const,
      command: entries.map(annotate).join("\n"),
      effect: "cluster" as const,
      changes: { key: "annotate-changes" as const, values: { secret: secret.name } },
      undo: { key: "annotate-undo" as const },
    },
    ...reapply(install, { title: { key: "reapply" as const }, changes: { key: "reapply-changes" as const } }),
  ];
}
