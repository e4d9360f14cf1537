import { caArrived } from "../derive/ca-arrived.ts";
import { registrationRef } from "../derive/called-services.ts";
import { bundleChanged, bundleOwners } from "../kube/bundle-fields.ts";
import { type GitOpsOwner, gitOpsOwnerOf } from "../kube/gitops.ts";
import { logTime } from "../kube/log-time.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type ContainerLog, knownValue, type WebhookRegistration } from "../model/facts.ts";
import type { WebhookConfiguration } from "../model/kubernetes.ts";

const injects = ["cert-manager.io/inject-ca-from-secret", "cert-manager.io/inject-ca-from"];
const isGitOps = /^(?:argocd-|kustomize-controller$|helm-controller$|flux)/;

/** Rewrites within so many milliseconds are one: cainjector looks at an object it has changed once more. */
const together = 30_000;
/** So many in the log are a fight, and how long ago the last may be. */
const fight = { rewrites: 3, recent: 6 * 60 * 60 * 1000 };

export default defineCheck({
  id: "gitops-reverts-cabundle",
  area: "ca-bundle",
  severity: "degraded",
  needs: ["webhooks"],
  uses: ["deployments", "caSecrets", "logs"],
  causedBy: [],
  sources: [
    "catalogue 1.7 gitops-reverts-cabundle",
    "https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/",
    "https://fluxcd.io/flux/components/helm/helmreleases/#drift-detection",
  ],
  strings: {
    title: "CA bundle that a repository takes back",
    headline:
      "*Certificates and Issuers can't be created or changed from time to time,* because a GitOps tool takes back the CA bundle that cainjector writes.",
    "headline-later":
      "*The webhook stops answering once it renews its CA,* because a repository prescribes the CA bundle that cainjector has to keep up to date.",
    why: "cainjector writes the CA into the registrations, and a GitOps tool puts them back as its repository has them. Where the repository prescribes the field, or objects are replaced whole, the two take turns, and between a sync and cainjector's answer every call to the webhook fails.",
    turns: {
      text: "cainjector had to write the same CA into {kind} {name} {count, plural, one {once} other {# times}} within {minutes, plural, one {a minute} other {# minutes}}, and {tool} keeps that object in step with a repository.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {tool} is Argo CD or Flux",
    },
    prescribed: {
      text: "{tool} prescribes the `caBundle` of {kind} {name}, and what it prescribes isn't the webhook's CA.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {tool} is Argo CD or Flux",
    },
    frozen: {
      text: "{tool} prescribes the `caBundle` of {kind} {name}. It is the webhook's CA now, and will be the wrong one once that is renewed.",
      note: "{kind} is ValidatingWebhookConfiguration or MutatingWebhookConfiguration; {tool} is Argo CD or Flux",
    },
    sure: "Managed fields say who wrote the bundle, and when.",
    "not-down": "cainjector works: it writes the bundle.",
    except: "Have Argo CD leave the bundle alone",
    "except-changes":
      "Application {name} neither compares nor syncs the CA bundles any more. Its list of ignored differences is replaced; where it has one already, add these entries to it instead.",
    "except-undo": "Set the list of ignored differences of Application {name} back to what it was.",
    drift: "Have Flux leave the bundle alone",
    "drift-changes": "HelmRelease {name} doesn't correct the CA bundles any more. Other differences are corrected as before.",
    "drift-undo": "Take these entries out of `spec.driftDetection.ignore` again.",
    owners: "See who owns the bundle, to take `caBundle` out of that manifest",
    none: "No registration that cainjector fills in is kept in step with a repository.",
  },
  run({ webhooks, deployments, caSecrets, logs }, now) {
    const kept = webhooks.flatMap(({ configuration }) => {
      const owner = gitOpsOwnerOf(configuration);
      return owner && injects.some((annotation) => configuration.metadata.annotations?.[annotation] !== undefined) ? [{ configuration, owner }] : [];
    });
    if (kept.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = kept.flatMap(({ configuration, owner }) => {
      const subject = registrationRef(configuration);
      const namespace = configuration.webhooks?.[0]?.clientConfig.service?.namespace;
      const prescribes = bundleOwners(configuration).find(({ manager }) => isGitOps.test(manager));
      const wrong = caArrived(namespace ?? "", { deployments: knownValue(deployments) ?? [], webhooks: only(configuration, webhooks), caSecrets }) === "no";
      const turns = turnsOf(configuration, knownValue(logs) ?? [], now);
      if (!prescribes && !turns) return [];
      const key = turns ? ("turns" as const) : wrong ? ("prescribed" as const) : ("frozen" as const);
      const fields: readonly Evidence[] = prescribes
        ? [{ object: subject, path: `metadata.managedFields[${prescribes.index}]`, value: `${prescribes.manager} owns caBundle since ${prescribes.time}` }]
        : [];
      return [
        {
          key,
          values: { kind: subject.kind, name: subject.name, tool: owner.tool, count: turns?.count ?? 0, minutes: turns?.minutes ?? 0 },
          severity: key === "frozen" ? ("warning" as const) : ("degraded" as const),
          subject,
          install: namespace,
          evidence: [...fields, ...(turns?.evidence ?? [])],
          fix: fix(configuration, owner),
        },
      ];
    });
    if (problems.length === 0) return logs.state === "known" ? { status: "pass" } : { status: "needs", fact: "logs" };
    return {
      status: "fail",
      problems,
      ...(problems.every(({ key }) => key === "frozen") ? { headline: { key: "headline-later" as const } } : {}),
      because: [{ key: "sure" }],
      ruledOut: problems.some(({ key }) => key === "turns") ? [{ check: "cainjector-not-running", key: "not-down" as const }] : [],
    };
  },
});

function only(configuration: WebhookConfiguration, webhooks: readonly WebhookRegistration[]) {
  return { state: "known" as const, value: webhooks.filter((one) => one.configuration === configuration) };
}

/**
 * cainjector's rewrites, where they are a fight. It logs every look at an object as an update; that the last one changed the bundle
 * is in the managed fields, whose time stays the same otherwise.
 */
function turnsOf(configuration: WebhookConfiguration, logs: readonly ContainerLog[], now: Date) {
  const { kind, name } = registrationRef(configuration);
  const changed = bundleChanged(configuration)?.getTime();
  if (changed === undefined) return undefined;
  for (const { namespace, pod, container, previous, lines } of logs) {
    if (previous) continue;
    const updates = lines.filter((line) => line.includes("Updated object") && line.includes(`"${name}"`) && line.includes(`"${kind.toLowerCase()}"`));
    const times = updates.flatMap((line) => logTime(line, now)?.getTime() ?? []);
    const starts = times.filter((time, index) => index === 0 || time - (times[index - 1] ?? 0) > together);
    const [first, last] = [starts[0] ?? 0, times.at(-1) ?? 0];
    const isFight = starts.length >= fight.rewrites && now.getTime() - last < fight.recent && Math.abs(changed - last) < together;
    if (!isFight) continue;
    const evidence: readonly Evidence[] = [{ object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: updates.at(-1) ?? "" }];
    return { count: starts.length, minutes: Math.max(1, Math.round((last - first) / 60_000)), evidence };
  }
  return undefined;
}

function fix(configuration: WebhookConfiguration, { tool, name }: GitOpsOwner) {
  const { kind, name: object } = registrationRef(configuration);
  const { labels = {} } = configuration.metadata;
  const look = {
    title: { key: "owners" as const },
    for: "kubectl" as const,
    command: `kubectl get ${kind.toLowerCase()} ${object} --show-managed-fields -o yaml | grep -E "manager:|time:|f:caBundle"`,
    effect: "none" as const,
  };
  if (tool === "Argo CD" && name) {
    const entries = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].map((one) => ({
      group: "admissionregistration.k8s.io",
      kind: one,
      jqPathExpressions: [".webhooks[]?.clientConfig.caBundle"],
    }));
    const patch = JSON.stringify([{ op: "add", path: "/spec/ignoreDifferences", value: entries }]);
    const step = {
      title: { key: "except" as const },
      for: "gitops" as const,
      command: `argocd app patch ${name} --type json --patch '${patch}'\nargocd app set ${name} --sync-option RespectIgnoreDifferences=true`,
      effect: "cluster" as const,
      changes: { key: "except-changes" as const, values: { name } },
      undo: { key: "except-undo" as const, values: { name } },
    };
    return [step, look];
  }
  if (labels["helm.toolkit.fluxcd.io/name"]) {
    const ignore = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].map((one) => ({
      paths: ["/webhooks/0/clientConfig/caBundle"],
      target: { kind: one },
    }));
    const step = {
      title: { key: "drift" as const },
      for: "gitops" as const,
      command: `kubectl -n ${labels["helm.toolkit.fluxcd.io/namespace"] ?? "flux-system"} patch helmrelease ${name} --type=merge -p '${JSON.stringify({ spec: { driftDetection: { ignore } } })}'`,
      effect: "cluster" as const,
      changes: { key: "drift-changes" as const, values: { name } },
      undo: { key: "drift-undo" as const },
    };
    return [step, look];
  }
  return [look];
}
