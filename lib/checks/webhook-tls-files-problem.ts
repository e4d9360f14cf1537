import { registrationRef } from "../derive/called-services.ts";
import { certificateFiles } from "../derive/certificate-files.ts";
import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { metCertificate } from "../derive/met-certificate.ts";
import { type FailedWebhookCall, targetOf, webhookCall } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import { isAppliedByGitOps } from "../kube/gitops.ts";
import { type Install, mainContainer } from "../kube/install.ts";
import { isReady } from "../kube/readiness.ts";
import { type CertificateFiles, certificateFilesOf, certificateVolumeOf } from "../kube/serving-certificate.ts";
import { defineCheck, type Evidence, type Problem } from "../model/check.ts";
import { type ContainerLog, type Fact, knownValue, type Lookup, type WebhookRegistration } from "../model/facts.ts";
import type { Event, KubeObject, Pod } from "../model/kubernetes.ts";
import type { ObjectRef } from "../model/object-ref.ts";

const complaint = /failed to (?:read|update) certificate from disk|failed to read (?:keyPath|certPath): /;
const both = /cannot specify both filesystem based and dynamic TLS configuration/;
const injects = ["cert-manager.io/inject-ca-from-secret", "cert-manager.io/inject-ca-from"];

type Key = "half" | "both" | "absent" | "denied" | "other-key" | "unreadable" | "unmounted" | "expired" | "names" | "unfilled" | "foreign";
interface Found {
  readonly key: Key;
  readonly values?: Readonly<Record<string, string>>;
  readonly evidence: readonly Evidence[];
}

export default defineCheck({
  id: "webhook-tls-files-problem",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["pods", "logs", "events", "webhooks", "apiProbe", "reportedErrors", "webhookNodes"],
  causedBy: [],
  patterns: [
    { in: "anywhere", text: complaint },
    { in: "anywhere", text: both },
  ],
  sources: ["catalogue 0.7 webhook-tls-files-problem", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Webhook certificate files that don't work",
    headline: "*No Certificate or Issuer can be created or changed,* because the files that cert-manager's webhook serves its certificate from don't work.",
    "headline-running": "*cert-manager's webhook stops within minutes,* because the files with its certificate can't be read any more.",
    why: "A webhook that is told to take its certificate from files makes no CA of its own. Somebody else has to keep the files valid, with the name of the webhook's Service in them, and has to give the API server the CA that signed them.",
    half: "{webhook} is told only one of the two files, of its certificate and of its key.",
    both: "{webhook} is told to serve files and to make its own certificate at the same time, which it refuses to start with.",
    absent: "{webhook} can't find its certificate files: {file} doesn't exist in its container.",
    denied: "{webhook} isn't allowed to read its certificate file {file}.",
    "other-key": "The key that {webhook} is given belongs to another certificate than the one beside it.",
    unreadable: "What {webhook} is given as certificate and key can't be read as such.",
    unmounted: "The volume with the certificate files of {webhook} can't be mounted: {message}",
    expired: "The certificate in the files of {webhook} has expired.",
    names: "The certificate in the files of {webhook} is for {names}, and the API server calls {wanted}.",
    unfilled: "The certificate of {webhook} comes from files, its registrations have no CA bundle, and no annotation asks cainjector for one.",
    foreign: "The certificate in the files of {webhook} isn't signed by a CA that the registrations have.",
    files: "It is told to serve {files}.",
    "not-renewed": "The webhook doesn't renew a certificate from files, so starting it again doesn't help.",
    look: "See whose certificate is in the files",
    mounts: "See where the files come from",
    resync: "Have OLM make certificate and registrations again",
    "resync-changes":
      "OLM looks at its ClusterServiceVersion again and puts back what it prescribes: the webhook's certificate, and the CA bundles that go with it.",
    inject: "Have cainjector fill in the CA of that Secret",
    "inject-changes":
      "The Secret allows that its CA is copied, and both registrations ask for it. cainjector writes the CA into them within seconds, and whenever it changes.",
    "inject-undo": "The same commands with a `-` after each annotation's name, instead of its value, take them away.",
    own: "Or let the webhook make its own certificate",
    "own-changes":
      "The webhook's pods are replaced by new ones that keep a CA of their own in a Secret, which cainjector copies into both registrations. The files aren't read any more; they stay where they are.",
    "own-undo": "Set the values back to name the files again.",
    none: "No webhook serves a certificate from files.",
    unasked: "Nothing tells whether the files work: the API check ended without a call.",
  },
  run({ deployments, pods, logs, events, webhooks, apiProbe, reportedErrors, webhookNodes }) {
    const owners = installs({ deployments }).flatMap((install) => {
      const files = certificateFiles(install, { pods, logs });
      return files && install.components.webhook ? [{ install, files }] : [];
    });
    if (owners.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const made = webhookCall({ apiProbe, reportedErrors });
    const problems = owners.flatMap(({ install, files }) => {
      const own = componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook");
      const call = made.outcome === "failed" && made.call.namespace === install.namespace ? made : undefined;
      const found =
        misuse(install) ?? unread(logs, own, files) ?? unmounted(install, files, events) ?? (call && refused(call, own, webhookNodes, install, webhooks));
      return found ? [problemOf(install, files, found, call, registrationsOf(install, webhooks))] : [];
    });
    if (problems.length > 0) {
      const running = problems.every(({ severity }) => severity === "degraded");
      return {
        status: "fail",
        problems,
        ...(running ? { headline: { key: "headline-running" as const } } : {}),
        because: owners.map(({ files }) => ({ key: "files", values: { files: [files.certificate, files.key].filter(Boolean).join(", ") } })),
        ruledOut: problems.some(({ key }) => key === "expired") ? [{ check: "webhook-serving-cert-expired", key: "not-renewed" as const }] : [],
      };
    }
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    return made.outcome === "not-called" ? { status: "not-applicable", because: { key: "unasked" } } : { status: "pass" };
  },
});

function registrationsOf({ namespace }: Install, webhooks: Fact<readonly WebhookRegistration[]>): readonly ObjectRef[] {
  return (knownValue(webhooks) ?? [])
    .filter(({ configuration }) => configuration.webhooks?.some(({ clientConfig }) => clientConfig.service?.namespace === namespace))
    .map(({ configuration }) => registrationRef(configuration));
}

function problemOf(
  install: Install,
  files: CertificateFiles,
  { key, values = {}, evidence }: Found,
  call: FailedWebhookCall | undefined,
  registrations: readonly ObjectRef[],
) {
  const webhook = install.components.webhook;
  const name = webhook?.metadata.name ?? "";
  // One that has read its files before goes on with them for two minutes.
  const goesOn = ["absent", "denied", "other-key", "unreadable"].includes(key) && webhook !== undefined && isReady(webhook) && !call;
  return {
    key,
    values: { webhook: name, ...values },
    severity: goesOn ? ("degraded" as const) : ("blocker" as const),
    subject: { kind: "Deployment", namespace: install.namespace, name },
    component: "webhook" as const,
    install: install.namespace,
    evidence: [...evidence, ...argumentsOf(install)],
    fix: fix(install, files, key, registrations),
  } satisfies Problem;
}

/** What the arguments alone make impossible. */
function misuse(install: Install): Found | undefined {
  const declared = certificateFilesOf(install);
  return declared && !(declared.certificate && declared.key) ? { key: "half", evidence: [] } : undefined;
}

/** The newest complaint of the webhook about its files; a reload that is newer has put it right. */
function unread(logs: Fact<readonly ContainerLog[]>, pods: readonly Pod[], { certificate = "", key = "" }: CertificateFiles): Found | undefined {
  for (const { namespace, pod, container, lines } of knownValue(logs) ?? []) {
    if (!pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) continue;
    const at = lines.findLastIndex((line) => complaint.test(line) || both.test(line));
    const line = lines[at];
    if (line === undefined || lines.findLastIndex((one) => one.includes("reloading certificate")) > at) continue;
    const evidence = [{ object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: line }];
    if (both.test(line)) return { key: "both", evidence };
    const values = { file: /open (?<file>[^:\s]+): /.exec(line)?.groups?.file ?? (line.includes("keyPath") ? key : certificate) };
    if (line.includes("no such file or directory")) return { key: "absent", values, evidence };
    if (line.includes("permission denied")) return { key: "denied", values, evidence };
    return { key: line.includes("private key does not match public key") ? "other-key" : "unreadable", evidence };
  }
  return undefined;
}

/** A kubelet that can't mount what the files are in. */
function unmounted(install: Install, { certificate }: CertificateFiles, events: Fact<readonly Event[]>): Found | undefined {
  const volume = certificateVolumeOf(install, certificate)?.name;
  const event = (knownValue(events) ?? []).find(
    ({ reason, message = "", involvedObject }) =>
      reason === "FailedMount" &&
      involvedObject.namespace === install.namespace &&
      involvedObject.name?.startsWith(`${install.components.webhook?.metadata.name}-`) === true &&
      volume !== undefined &&
      message.includes(`"${volume}"`),
  );
  if (!event) return undefined;
  const object = { kind: "Pod", namespace: install.namespace, name: event.involvedObject.name ?? "" };
  return { key: "unmounted", values: { message: event.message ?? "" }, evidence: [{ object, path: "event/FailedMount", value: event.message ?? null }] };
}

/** What the API server had against the certificate. */
function refused(
  { call, evidence }: FailedWebhookCall,
  pods: readonly Pod[],
  nodes: Fact<readonly Lookup<KubeObject>[]>,
  install: Install,
  webhooks: Fact<readonly WebhookRegistration[]>,
): Found | undefined {
  if (/x509: certificate has expired or is not yet valid(?!: current time \S+ is before)/.test(call.reason)) return { key: "expired", evidence: [evidence] };
  const met = metCertificate(call, pods, nodes);
  if (met?.whose === "other") return { key: "names", values: { names: met.names, wanted: met.wanted || targetOf(call) }, evidence: [evidence] };
  if (!call.reason.includes("x509: certificate signed by unknown authority")) return undefined;
  const own = (knownValue(webhooks) ?? []).filter(({ configuration }) =>
    configuration.webhooks?.some(({ clientConfig }) => clientConfig.service?.namespace === call.namespace && clientConfig.service?.name === call.service),
  );
  const empty = own.filter(({ caBundles }) => caBundles.some((bundle) => bundle?.length === 0));
  const asks = empty.some(({ configuration }) => injects.some((annotation) => configuration.metadata.annotations?.[annotation] !== undefined));
  if (own.length > 0 && empty.length === 0) return { key: "foreign", evidence: [evidence] };
  // Where cainjector or OLM was asked, the empty bundle is their matter.
  return empty.length === 0 || asks || install.method === "olm" ? undefined : { key: "unfilled", evidence: [evidence] };
}

function argumentsOf({ namespace, components: { webhook } }: Install): readonly Evidence[] {
  const main = webhook && mainContainer(webhook);
  if (!main) return [];
  const at = webhook.spec.template.spec.containers.indexOf(main);
  const object = { kind: "Deployment", namespace, name: webhook.metadata.name };
  return (main.args ?? []).flatMap((arg, index) =>
    /^--tls-(?:cert|private-key)-file=/.test(arg) ? [{ object, path: `spec.template.spec.containers[${at}].args[${index}]`, value: arg }] : [],
  );
}

function fix(install: Install, { certificate }: CertificateFiles, key: Key, registrations: readonly ObjectRef[]) {
  const { namespace, components, method } = install;
  const webhook = components.webhook?.metadata.name ?? "";
  const secret = certificateVolumeOf(install, certificate)?.secret;
  const kubectl = { for: "kubectl" as const, effect: "none" as const };
  const file = (certificate?.split("/").at(-1) ?? "tls.crt").replaceAll(".", "\\.");
  const look = secret
    ? {
        ...kubectl,
        title: { key: "look" as const },
        command: `kubectl -n ${namespace} get secret ${secret} -o jsonpath='{.data.${file}}' | base64 -d | openssl x509 -noout -subject -issuer -dates -ext subjectAltName`,
      }
    : {
        ...kubectl,
        title: { key: "mounts" as const },
        command: `kubectl -n ${namespace} get deployment ${webhook} -o jsonpath='{.spec.template.spec.volumes}{"\\n"}{.spec.template.spec.containers[*].volumeMounts}'`,
      };
  if (method === "olm") return [look, ...reapply(install, { title: { key: "resync" as const }, changes: { key: "resync-changes" as const } })];
  const inject = {
    title: { key: "inject" as const },
    for: "kubectl" as const,
    command: [
      `kubectl -n ${namespace} annotate secret ${secret} cert-manager.io/allow-direct-injection=true --overwrite`,
      ...registrations.map(
        ({ kind, name }) => `kubectl annotate ${kind.toLowerCase()} ${name} cert-manager.io/inject-ca-from-secret=${namespace}/${secret} --overwrite`,
      ),
    ].join("\n"),
    effect: "cluster" as const,
    changes: { key: "inject-changes" as const },
    undo: { key: "inject-undo" as const },
  };
  const isUntrusted = key === "unfilled" || key === "foreign";
  return [look, ...(isUntrusted && secret && components.cainjector ? [inject] : []), ...(isUntrusted ? [] : ownCertificate(install))];
}

/** What the chart adds to the webhook's arguments by itself; all others are extra. */
const chartsOwn =
  /^--(?:v|config|secure-port|feature-gates|dynamic-serving-[a-z-]+|tls-(?:cert|private-key)-file|metrics-listen-address|enable-client-verification|client-[a-z-]+)=/;

/** Takes the files out of the values, or of the arguments of a static install. */
function ownCertificate(install: Install) {
  const step = { title: { key: "own" as const }, changes: { key: "own-changes" as const }, undo: { key: "own-undo" as const } };
  const webhook = install.components.webhook;
  if (install.method !== "helm" && !(webhook && isAppliedByGitOps(webhook))) return reapply(install, step);
  if (!certificateFilesOf(install)) return setValues(install, step, { webhook: { config: { tlsConfig: null } } });
  const extra = ((webhook && mainContainer(webhook)?.args) ?? []).filter((arg) => !chartsOwn.test(arg));
  return setValues(install, step, { webhook: { extraArgs: extra.length > 0 ? extra : null } });
}
