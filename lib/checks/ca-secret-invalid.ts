import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { restart } from "../kube/commands.ts";
import { gitOpsOwnerOf } from "../kube/gitops.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import { logTime } from "../kube/log-time.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { isReady } from "../kube/readiness.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type CaFlaw, type CaSecret, type ContainerLog, knownValue, type Lookup } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

const remade = /(?:Created new|Updated existing) root CA Secret/;
/** So many new CAs in a day have another reason than their age. */
const loop = { times: 3, within: 24 * 60 * 60 * 1000 };
const certificateName = "cert-manager.io/certificate-name";

export default defineCheck({
  id: "ca-secret-invalid",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["caSecrets", "deployments"],
  uses: ["pods", "logs"],
  causedBy: ["ca-secret-rbac"],
  patterns: [
    {
      in: "anywhere",
      text: /Missing data in CA secret|Different data in ca\.crt and tls\.crt|Failed to parse data in CA secret|Stored certificate is not marked as a CA/,
    },
    { in: "anywhere", text: /failed verifying CA keypair: / },
  ],
  sources: ["catalogue 1.7 ca-secret-invalid", "https://cert-manager.io/docs/concepts/webhook/"],
  strings: {
    title: "Webhook CA Secret that can't be used",
    headline: "*cert-manager's webhook can't start,* because the Secret with its CA holds nothing that it could sign with.",
    "headline-running":
      "*cert-manager's webhook changes its CA again and again, or can't renew it,* because the Secret with that CA doesn't stay as the webhook writes it.",
    why: "The webhook keeps its CA in a Secret and looks at it every ten seconds. What it can't use it replaces, where it is allowed to. A Secret that stays unusable, or that is replaced over and over, has another writer: a tool that copies Secrets, a Certificate that names the same Secret, or a second webhook.",
    ignore: "The webhook puts such a Secret right within seconds where it may.",
    absent: "Secret {secret} in namespace {namespace} lacks `ca.crt` or `tls.crt`.",
    different: "In Secret {secret} of namespace {namespace} `ca.crt` and `tls.crt` differ. The webhook's CA signs itself, so they have to be the same.",
    unreadable: "What Secret {secret} in namespace {namespace} has as certificate can't be read as one.",
    "other-key": "The key in Secret {secret} of namespace {namespace} belongs to another certificate than the one beside it.",
    "no-ca": "The certificate in Secret {secret} of namespace {namespace} isn't a CA's.",
    loop: "{webhook} made a new CA {count} times within a day, so something else changes or deletes Secret {secret} in namespace {namespace}.",
    rules: "These are the questions that the webhook asks itself before it uses a CA.",
    "not-missing": "The Secret is there.",
    right: "See whether the webhook may write the Secret",
    writers: "See who else writes it",
    restart: "Have the webhook make its CA anew",
    "restart-changes":
      "The webhook starts again and replaces what it can't use with a new CA; cainjector then copies that into both registrations. No certificate that cert-manager has issued is touched.",
  },
  run({ caSecrets, deployments, pods, logs }, now) {
    const found = installs({ deployments });
    const problems = caSecrets.flatMap((lookup) => {
      const { ref, object } = lookup;
      const install = found.find((one) => {
        const secret = caSecretOf(one);
        return secret?.namespace === ref.namespace && secret?.name === ref.name;
      });
      const webhook = install?.components.webhook;
      if (!object || !install || !webhook) return [];
      const remakes = remakesOf(logs.state === "known" ? logs.value : [], componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook"), now);
      const key: CaFlaw | "loop" | undefined = object.flaw ?? (remakes ? "loop" : undefined);
      if (!key) return [];
      return [
        {
          key,
          values: { secret: ref.name, namespace: ref.namespace ?? "", webhook: webhook.metadata.name, count: remakes?.count ?? 0 },
          // A webhook that runs goes on with the CA that it has in memory.
          severity: key === "loop" || isReady(webhook) ? ("degraded" as const) : ("blocker" as const),
          subject: ref,
          component: "webhook" as const,
          install: install.namespace,
          transient: true,
          evidence: [...(key === "loop" ? [] : [flawOf(lookup)]), ...writersOf(lookup), ...(remakes && key === "loop" ? [remakes.evidence] : [])],
          fix: fix(install, ref),
        },
      ];
    });
    if (problems.length === 0) {
      const unseen = (
        [
          ["pods", pods],
          ["logs", logs],
        ] as const
      ).find(([, fact]) => fact.state !== "known");
      return unseen ? { status: "needs", fact: unseen[0] } : { status: "pass" };
    }
    return {
      status: "fail",
      problems,
      ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-running" as const } }),
      because: problems.some(({ key }) => key !== "loop") ? [{ key: "rules" }] : [],
      ruledOut: [{ check: "ca-secret-missing", key: "not-missing" }],
    };
  },
});

function flawOf({ ref, object }: Lookup<CaSecret>): Evidence {
  const subjects = object?.caCertificates?.map(({ subject, isCa }) => `${subject}${isCa ? "" : ", not a CA"}`).join("\n");
  return { object: ref, path: "data.ca\\.crt", value: subjects ?? null };
}

/** Marks of other writers on the Secret. */
function writersOf({ ref, object }: Lookup<CaSecret>): readonly Evidence[] {
  const certificate = object?.metadata.annotations?.[certificateName];
  const gitOps = object && gitOpsOwnerOf(object);
  return [
    ...(certificate === undefined ? [] : [{ object: ref, path: metadataPath("annotations", certificateName), value: certificate }]),
    ...(gitOps ? [{ object: ref, path: "metadata", value: [gitOps.tool, gitOps.name].filter(Boolean).join(" ") }] : []),
  ];
}

function remakesOf(logs: readonly ContainerLog[], pods: readonly Pod[], now: Date) {
  for (const { namespace, pod, container, lines } of logs) {
    if (!pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) continue;
    const recent = lines.filter((line) => remade.test(line) && now.getTime() - (logTime(line, now)?.getTime() ?? 0) < loop.within);
    const evidence: Evidence = { object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: recent.at(-1) ?? "" };
    if (recent.length >= loop.times) return { count: recent.length, evidence };
  }
  return undefined;
}

function fix({ namespace, components: { webhook } }: Install, secret: { readonly namespace?: string; readonly name: string }) {
  const account = webhook?.spec.template.spec.serviceAccountName ?? "default";
  const kubectl = { for: "kubectl" as const, effect: "none" as const };
  return [
    {
      ...kubectl,
      title: { key: "right" as const },
      command: `kubectl auth can-i update secrets/${secret.name} -n ${secret.namespace} --as=system:serviceaccount:${namespace}:${account}`,
    },
    {
      ...kubectl,
      title: { key: "writers" as const },
      command: `kubectl -n ${secret.namespace} get secret ${secret.name} --show-managed-fields -o jsonpath='{range .metadata.managedFields[*]}{.manager}{"  "}{.time}{"\\n"}{end}'\nkubectl -n ${secret.namespace} get certificates -o jsonpath='{range .items[?(@.spec.secretName=="${secret.name}")]}{.metadata.name}{"\\n"}{end}'`,
    },
    {
      title: { key: "restart" as const },
      for: "kubectl" as const,
      command: restart(namespace, webhook?.metadata.name ?? ""),
      effect: "cluster" as const,
      changes: { key: "restart-changes" as const },
    },
  ];
}
