import { installs } from "../derive/installs.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { type UnreadyWebhook, unreadyWebhooks } from "../derive/webhook-trouble.ts";
import { reapply, restart } from "../kube/commands.ts";
import { accountOf, caSecretOf, type Install } from "../kube/install.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { Event } from "../model/kubernetes.ts";

const answered500 = /statuscode: 500/;
/** What the webhook says of the certificate that it lacks, the telling words first. */
const reasons = [
  { key: "denied", text: /secrets(?: \\?"[^"]*")? is forbidden/ },
  { key: "cut-off", text: /(?:Get|Post) \\?"https:\/\/[^"\\]+\\?": dial tcp / },
  { key: "files", text: /failed to read (?:keyPath|certPath)|Failed to read certificates from files/ },
  { key: "expired", text: /CA certificate has expired, try again later/ },
  { key: "bare", text: /Health check failed as CertificateSource is unhealthy|error ensuring CA|Failed to generate (?:initial )?serving certificate/ },
] as const;
type Reason = (typeof reasons)[number]["key"];

/** What it says once it has one: trouble before that is over. */
const served = /Updated (?:cert-manager|serving) TLS certificate|Serving certificate generated successfully/;

/** A first probe may come before the first certificate. */
const startUp = 30_000;

type Key = "right" | "restore" | "restore-changes" | "policies" | "mounts" | "read" | "again" | "again-changes";

export default defineCheck({
  id: "webhook-not-ready-500",
  area: "pods",
  severity: "blocker",
  needs: ["pods", "deployments"],
  uses: ["events", "logs", "webhooks"],
  causedBy: ["ca-secret-missing", "webhook-tls-files-problem", "ca-secret-invalid", "ca-secret-rbac", "webhook-ca-expired", "pod-apiserver-egress-blocked"],
  patterns: [
    { in: "webhook-call", text: /remote error: tls: internal error/ },
    { in: "anywhere", text: /Readiness probe failed: HTTP probe failed with statuscode: 500/ },
    { in: "anywhere", text: /Health check failed as CertificateSource is unhealthy/ },
  ],
  sources: [
    "catalogue 1.3 webhook-not-ready-500",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/3185",
    "https://github.com/cert-manager/cert-manager/issues/4557",
  ],
  strings: {
    title: "Webhook without a certificate to serve with",
    headline: "*A webhook pod doesn't become ready,* because it has no certificate to serve with.",
    why: "The webhook answers its readiness probe with 500 for as long as it has no serving certificate. It makes one with its own CA, which it keeps in a Secret: it must be able to reach the API server, and to read and write that Secret.",
    ignore: "For some seconds after each start of the webhook this is normal.",
    denied: "Pod {name} of the webhook runs and isn't ready: it may not read or write the Secret that its CA is kept in.",
    "cut-off": "Pod {name} of the webhook runs and isn't ready: it can't reach the API server, so it has no CA to make a certificate with.",
    files: "Pod {name} of the webhook runs and isn't ready: the files with its certificate can't be read.",
    expired: "Pod {name} of the webhook runs and isn't ready: its CA has expired, and it hasn't made a new one.",
    bare: "Pod {name} of the webhook runs and isn't ready: it has no serving certificate yet.",
    only: "The webhook answers this probe with 500 for this one reason.",
    right: "See whether the webhook may write its CA Secret",
    restore: "Give the webhook its right back",
    "restore-changes":
      "The manifest of the same version is applied again, with the Role and RoleBinding that let the webhook write its CA Secret. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    policies: "See which NetworkPolicies hold its traffic back",
    mounts: "See where the webhook expects its certificate, and what is mounted there",
    read: "Read what the webhook says of its certificate",
    again: "Start the webhook again",
    "again-changes": "A new webhook pod replaces this one. Nothing is lost: it keeps no state but its CA Secret, which stays.",
    none: "No webhook of cert-manager is installed.",
  },
  run({ pods, deployments, events, logs, webhooks }, now) {
    const judged = installs({ deployments }).filter(({ components }) => components.webhook);
    if (judged.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const unready = judged.flatMap((install) => unreadyWebhooks(install, { pods, events, logs }).map((one) => ({ install, one })));
    const found = unready.flatMap(({ install, one }) => {
      const reason = reasonOf(one, now);
      return reason ? [{ install, one, reason }] : [];
    });
    const untold = found.length < unready.length;
    if (found.length === 0) return untold ? (unseen(events, logs) ?? { status: "pass" }) : { status: "pass" };
    const problems = found.map(({ install, one, reason }) => {
      const { name, namespace = "" } = one.pod.metadata;
      const subject = { kind: "Pod", namespace, name };
      return {
        key: reason.key,
        values: { name },
        severity: severityWithoutPod(one.pod, pods, webhooks),
        subject,
        component: "webhook" as const,
        install: namespace,
        transient: true,
        evidence: [
          ...(one.probe ? [{ object: subject, path: "event/Unhealthy", value: one.probe.message ?? "" }] : []),
          ...(reason.line ? [{ object: subject, path: `log/${one.container}`, value: reason.line }] : []),
        ] as readonly Evidence[],
        fix: fixOf(reason.key, install, one),
      };
    });
    return { status: "fail", problems, because: [{ key: "only" }] };
  },
});

/** Why it has no certificate; undefined where nothing says that it has none. */
function reasonOf({ probe, lines, since }: UnreadyWebhook, now: Date): { readonly key: Reason; readonly line?: string } | undefined {
  const newest = lines.slice(lines.findLastIndex((one) => served.test(one)) + 1);
  const said = reasons.flatMap(({ key, text }) => {
    const line = newest.findLast((one) => text.test(one));
    return line ? [{ key, line }] : [];
  });
  const answers500 = answered500.test(probe?.message ?? "") && !(now.getTime() - since < startUp);
  const lacks = answers500 || said.some(({ key }) => key !== "cut-off");
  return lacks ? (said[0] ?? { key: "bare" }) : undefined;
}

/** What would have told of a pod that isn't ready, and couldn't be read. */
function unseen(events: Fact<readonly Event[]>, logs: Fact<unknown>) {
  if (knownValue(events) !== undefined && knownValue(logs) !== undefined) return undefined;
  if (events.state === "missing") return { status: "needs" as const, fact: "events" as const };
  return logs.state === "missing" ? { status: "needs" as const, fact: "logs" as const } : undefined;
}

function fixOf(key: Reason, install: Install, { pod, container }: UnreadyWebhook): readonly FixStep<Key>[] {
  const { namespace } = install;
  const webhook = install.components.webhook;
  const name = webhook?.metadata.name ?? "";
  const look = (title: Key, command: string): FixStep<Key> => ({ title: { key: title }, for: "kubectl", command, effect: "none" });
  const secret = caSecretOf(install);
  const read = look("read", `kubectl -n ${namespace} logs ${pod.metadata.name} -c ${container} --tail=50`);
  const again: FixStep<Key> = {
    title: { key: "again" },
    for: "kubectl",
    command: restart(namespace, name),
    effect: "cluster",
    changes: { key: "again-changes" },
  };
  if (key === "denied" && webhook && secret) {
    const can = `kubectl auth can-i update secrets/${secret.name} -n ${secret.namespace} --as=system:serviceaccount:${namespace}:${accountOf(webhook)}`;
    return [look("right", can), ...reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } })];
  }
  if (key === "cut-off") return [look("policies", `kubectl -n ${namespace} get networkpolicies -o yaml`), read];
  if (key === "files") {
    const format = '{.spec.template.spec.containers[*].args}{"\\n"}{.spec.template.spec.containers[*].volumeMounts}{"\\n"}{.spec.template.spec.volumes}{"\\n"}';
    return [look("mounts", `kubectl -n ${namespace} get deployment ${name} -o jsonpath='${format}'`), read];
  }
  return [read, again];
}
