import { registrationRef } from "../derive/called-services.ts";
import { installs } from "../derive/installs.ts";
import { refillBundles, refillStrings } from "../derive/refill-bundles.ts";
import { type CaEntry, caEntries } from "../derive/trusted-ca.ts";
import { certificatesIn } from "../kube/certificate.ts";
import { reapply } from "../kube/commands.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

export default defineCheck({
  id: "ca-bundle-malformed",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["webhooks"],
  uses: ["deployments"],
  // What another one wrote stays where nobody puts it right.
  causedBy: [
    "cainjector-not-running",
    "cainjector-leader-election-forbidden",
    "ca-secret-injection-not-allowed",
    "inject-annotation-wrong",
    "gitops-reverts-cabundle",
    "cainjector-rbac",
    "cainjector-scoped-or-kind-disabled",
    "cainjector-leader-waiting",
    "cainjector-waiting-for-crds",
  ],
  patterns: [{ in: "anywhere", text: /unable to load root certificates: \S/ }],
  sources: ["catalogue 1.7 ca-bundle-malformed", "https://cert-manager.io/docs/concepts/ca-injector/"],
  strings: {
    ...refillStrings,
    title: "CA bundle that isn't a certificate",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server can't read the CA bundle that it has for cert-manager's webhook.",
    why: "The API server reads the CA bundle of a registration before it calls the webhook, and refuses the request where it isn't certificates in PEM form. Manifests with a placeholder in that field are the usual reason, and values that were encoded twice. cainjector replaces such a value where it works.",
    malformed: {
      text: "The `caBundle` of {kind} {name} isn't a certificate in PEM form, so the API server doesn't even call the webhook.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    twice: {
      text: "The `caBundle` of {kind} {name} is base64 twice over: decoded once, as the API server does, it isn't a certificate yet.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration",
    },
    read: "The value was decoded the way the API server does it.",
    "not-empty": "The bundle has content, which isn't a certificate.",
    "not-other": "Whose CA it is can't matter, since it is none.",
    clear: "Take the broken value out",
    "clear-changes": "The bundle is empty until cainjector fills it in, which takes some seconds. Until then calls fail as they do now.",
    resync: "Have OLM write its registrations again",
    "resync-changes": "OLM looks at its ClusterServiceVersion again and puts back what it prescribes, the CA bundles among it.",
    none: "No webhook is registered for cert-manager.",
  },
  run({ webhooks, deployments }) {
    if (webhooks.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const components = knownValue(deployments) ?? [];
    const found = installs({ deployments: components });
    const entries = caEntries({ webhooks, deployments: components }).filter(({ bundle }) => bundle === null);
    const problems = webhooks.flatMap(({ configuration, caBundles }) =>
      caBundles.flatMap((bundle, index) => {
        if (bundle !== null) return [];
        const subject = registrationRef(configuration);
        const { service, caBundle = "" } = configuration.webhooks?.[index]?.clientConfig ?? {};
        const install = found.find(({ namespace }) => namespace === service?.namespace);
        return [
          {
            key: isEncodedTwice(caBundle) ? ("twice" as const) : ("malformed" as const),
            values: { kind: subject.kind, name: subject.name },
            severity: "blocker" as const,
            subject,
            install: service?.namespace,
            evidence: [{ object: subject, path: `webhooks[${index}].clientConfig.caBundle`, value: caBundle }],
            fix: install ? fix({ install, configuration, index }, entries) : [],
          },
        ];
      }),
    );
    if (problems.length === 0) return { status: "pass" };
    return {
      status: "fail",
      problems,
      because: [{ key: "read" }],
      ruledOut: [
        { check: "ca-bundle-empty", key: "not-empty" },
        { check: "ca-bundle-mismatch", key: "not-other" },
      ],
    };
  },
});

function isEncodedTwice(caBundle: string): boolean {
  const inner = certificatesIn(Buffer.from(caBundle, "base64").toString("latin1"));
  return inner !== null && inner.length > 0;
}

/** One start of cainjector mends all entries of its install, so that is told with the first of them. */
function fix({ install, configuration, index }: Pick<CaEntry, "install" | "configuration" | "index">, broken: readonly CaEntry[]) {
  if (install.method === "olm") return reapply(install, { title: { key: "resync" as const }, changes: { key: "resync-changes" as const } });
  const own = broken.filter((entry) => entry.install.namespace === install.namespace);
  const entry = own.find((one) => one.configuration === configuration && one.index === index);
  if (!entry) return [];
  if (!install.components.cainjector) return refillBundles(install, [entry]);
  return own[0] === entry ? [clear(own), ...refillBundles(install, own)] : [];
}

/** cainjector may refuse to add to what it can't parse, depending on its version. */
function clear(entries: readonly { readonly configuration: WebhookConfiguration; readonly index: number }[]) {
  return {
    title: { key: "clear" as const },
    for: "kubectl" as const,
    command: entries
      .map(({ configuration: { kind, metadata }, index }) => {
        const patch = `[{"op":"remove","path":"/webhooks/${index}/clientConfig/caBundle"}]`;
        return `kubectl patch ${kind.toLowerCase()} ${metadata.name} --type=json -p '${patch}'`;
      })
      .join("\n"),
    effect: "cluster" as const,
    changes: { key: "clear-changes" as const },
  };
}
