import { caArrived } from "../derive/ca-arrived.ts";
import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { caSecretOf, type Install } from "../kube/install.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type CaSecret, type ContainerLog, knownValue, type Lookup } from "../model/facts.ts";
import type { Pod } from "../model/kubernetes.ts";

const allows = "cert-manager.io/allow-direct-injection";
const refusal = /does not allow direct injection - refusing to inject CA/;

export default defineCheck({
  id: "ca-secret-injection-not-allowed",
  area: "ca-bundle",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["caSecrets", "webhooks", "pods", "logs"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: refusal }],
  sources: ["catalogue 1.7 ca-secret-injection-not-allowed", "https://cert-manager.io/docs/concepts/ca-injector/#injecting-ca-data-from-a-secret-resource"],
  strings: {
    title: "CA Secret that may not be copied",
    headline: "*No Certificate or Issuer can be created or changed,* because the Secret with the webhook's CA doesn't allow that its CA is copied.",
    "headline-later": "*The webhook stops answering once it renews its CA,* because the Secret with that CA doesn't allow that it is copied.",
    why: "cainjector copies a CA only out of Secrets that say so in an annotation. The webhook sets it when it creates the Secret, and never again: a Secret that came back from a backup, a copy or a repository without the annotation stays without it, even when the webhook renews the CA in it.",
    unannotated:
      'Secret {secret} in namespace {namespace} lacks the annotation `cert-manager.io/allow-direct-injection: "true"`, so cainjector refuses to copy the CA in it.',
    labelled:
      "Secret {secret} in namespace {namespace} has `cert-manager.io/allow-direct-injection` as a label. cainjector reads annotations only, so it refuses to copy the CA.",
    refused: "cainjector says that Secret {secret} in namespace {namespace} doesn't allow direct injection, and refuses to copy the CA in it.",
    later:
      'Secret {secret} in namespace {namespace} lacks the annotation `cert-manager.io/allow-direct-injection: "true"`. The registrations have its CA from before, so calls go through until the webhook renews it.',
    sure: "The webhook's registrations ask for the CA of this Secret, and the annotation must say `true`.",
    "not-missing": "The Secret is there.",
    allow: "Allow the copy",
    "allow-changes": "cainjector sees the annotation and copies the CA into both registrations within seconds. The CA itself stays as it is.",
    "allow-undo": "The same command with `cert-manager.io/allow-direct-injection-` takes the annotation away.",
    verify: "See whether the bundles are filled in",
    none: "No webhook keeps its CA in a Secret.",
  },
  run({ deployments, caSecrets, webhooks, pods, logs }) {
    const owners = installs({ deployments }).flatMap((install) => {
      const secret = caSecretOf(install);
      return secret && install.components.cainjector ? [{ install, secret }] : [];
    });
    if (owners.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = owners.flatMap(({ install, secret }) => {
      const arrived = caArrived(install.namespace, { deployments, webhooks, caSecrets });
      const found = knownValue(caSecrets)?.find(({ ref }) => ref.namespace === secret.namespace && ref.name === secret.name);
      // Without a look into the Secret cainjector's own word counts, as long as the bundles are still without a CA.
      const said = !found && arrived === "no" ? refusals(install, secret, knownValue(pods) ?? [], knownValue(logs) ?? []) : [];
      const evidence = found ? marksOf(found) : said;
      if (evidence.length === 0) return [];
      const key = !found ? "refused" : arrived !== "no" ? "later" : evidence.length > 1 ? "labelled" : "unannotated";
      return [
        {
          key,
          values: { secret: secret.name, namespace: secret.namespace },
          severity: key === "later" ? ("warning" as const) : ("blocker" as const),
          subject: { kind: "Secret", ...secret },
          install: install.namespace,
          evidence,
          fix: fix(secret),
        } as const,
      ];
    });
    if (problems.length === 0) return caSecrets.state === "known" ? { status: "pass" } : { status: "needs", fact: "caSecrets" };
    const blocked = problems.some(({ severity }) => severity === "blocker");
    return {
      status: "fail",
      problems,
      ...(blocked ? {} : { headline: { key: "headline-later" as const } }),
      because: [{ key: "sure" }],
      ruledOut: [{ check: "ca-secret-missing", key: "not-missing" }],
    };
  },
});

/** What the Secret says about being copied, unless it allows it; a label of that name is a mistake that looks right. */
function marksOf({ ref, object }: Lookup<CaSecret>): readonly Evidence[] {
  const { labels = {}, annotations = {} } = object?.metadata ?? {};
  if (!object || annotations[allows] === "true") return [];
  const annotation = { object: ref, path: metadataPath("annotations", allows), value: annotations[allows] ?? null };
  const label = labels[allows];
  return label === undefined ? [annotation] : [annotation, { object: ref, path: metadataPath("labels", allows), value: label }];
}

/** cainjector's newest word about the Secret, where it is a refusal. */
function refusals(install: Install, secret: { readonly namespace: string; readonly name: string }, pods: readonly Pod[], logs: readonly ContainerLog[]) {
  const own = componentPods({ pods }, install, "cainjector");
  return logs.flatMap(({ namespace, pod, container, lines }): readonly Evidence[] => {
    if (!own.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) return [];
    const line = lines.findLast((one) => refusal.test(one) && one.includes(`${secret.namespace}/${secret.name}`));
    return line === undefined ? [] : [{ object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value: line }];
  });
}

function fix({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  return [
    {
      title: { key: "allow" as const },
      for: "kubectl" as const,
      command: `kubectl -n ${namespace} annotate secret ${name} ${allows}=true --overwrite`,
      effect: "cluster" as const,
      changes: { key: "allow-changes" as const },
      undo: { key: "allow-undo" as const },
    },
    {
      title: { key: "verify" as const },
      for: "kubectl" as const,
      command:
        "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='NAME:.metadata.name,CA:.webhooks[*].clientConfig.caBundle' | cut -c1-80",
      effect: "none" as const,
    },
  ];
}
