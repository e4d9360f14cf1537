import { installs } from "../derive/installs.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { refusals } from "../derive/refusals.ts";
import { caEntries } from "../derive/trusted-ca.ts";
import { injectionRequest } from "../kube/injection.ts";
import { type Install, mainContainer } from "../kube/install.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { defineCheck, type Evidence, type Problem } from "../model/check.ts";
import { type InjectionSource, knownValue } from "../model/facts.ts";
import type { Deployment, KubeObject } from "../model/kubernetes.ts";

type Key = "own" | "others" | "remove" | "remove-changes" | "remove-undo" | "verify";

/** A flag that makes cainjector leave something alone. */
interface Limit {
  readonly evidence: Evidence;
  /** Whether an object is left alone because of it. */
  readonly excludes: (object: KubeObject) => boolean;
}

export default defineCheck({
  id: "cainjector-scoped-or-kind-disabled",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments", "webhooks"],
  uses: ["injectionSources", "caSecrets", "pods", "logs"],
  causedBy: [],
  patterns: [
    {
      in: "anywhere",
      text: /cannot read CA data from (?:Secret|Certificate) in namespace|cainjector is scoped to namespace|Not registering a reconciler? for injectable kind as it's disabled/,
    },
  ],
  sources: ["catalogue 1.9 cainjector-scoped-or-kind-disabled", "https://cert-manager.io/docs/cli/cainjector/"],
  strings: {
    title: "cainjector told to leave registrations alone",
    headline: "*The webhook's CA isn't brought to the API server,* because cainjector was told to leave the registrations that need it alone.",
    "headline-others": {
      text: "*Webhooks of other products don't get their CA,* because cainjector was told to leave them alone.",
      note: "Said instead of the headline where cert-manager's own webhook isn't concerned.",
    },
    why: "Flags limit cainjector to one namespace, keep it away from some, or switch off whole kinds, to save memory or to keep it apart from others. What they exclude is left as it is, without an error: a CA bundle stays empty, or old when the CA is renewed.",
    ignore: "If something else fills in the CA of what is excluded, this is as it should be.",
    own: "{name} in namespace {namespace} leaves cert-manager's own {target} alone, because of `{flag}`.",
    others: "{name} in namespace {namespace} leaves {target} alone, which waits for a CA, because of `{flag}`.",
    sure: "The flag stands among cainjector's arguments, and the registration asks for a CA that it excludes.",
    "not-rights": "It is allowed to; it was told not to.",
    remove: "Take the flag away",
    "remove-changes":
      "cainjector restarts without the flag and fills in what it left out. Where a chart or repository sets the flag, it comes back with the next rollout: take it out of `cainjector.extraArgs` there.",
    "remove-undo": "Add the flag to the arguments again.",
    verify: "See whether the bundles are filled in",
    none: "No cainjector is here.",
  },
  run({ deployments, webhooks, injectionSources, caSecrets, pods, logs }) {
    const found = installs({ deployments }).flatMap((install) => {
      const { cainjector } = install.components;
      return cainjector ? [{ install, cainjector, limits: limitsOf(cainjector) }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const limited = found.filter(({ limits }) => limits.length > 0);
    const problems = limited.flatMap(({ install, cainjector, limits }): readonly Problem<Key>[] => {
      const own = caEntries({ deployments, webhooks }).flatMap((entry) => (entry.install === install && entry.index === 0 ? [entry.configuration] : []));
      const others = (knownValue(injectionSources) ?? []).map(({ target }: InjectionSource) => target);
      const { name } = cainjector.metadata;
      return limits.flatMap(({ evidence, excludes }) => {
        const one = (target: KubeObject, key: "own" | "others"): Problem<Key> => ({
          key,
          values: { name, namespace: install.namespace, target: `${target.kind} ${target.metadata.name}`, flag: evidence.value ?? "" },
          severity: key === "own" ? severityWithoutCainjector(install, { deployments, webhooks: { state: "known", value: webhooks }, caSecrets }) : "degraded",
          subject: { kind: "Deployment", namespace: install.namespace, name },
          component: "cainjector",
          install: install.namespace,
          evidence: [evidence, ...requested(target), ...refusals(install, "cainjector", { pods, logs }, /is scoped to namespace|as it's disabled/)],
          fix: fix(install, cainjector, evidence),
        });
        const [mine] = own.filter(excludes);
        const [theirs] = others.filter(excludes);
        return mine ? [one(mine, "own")] : theirs ? [one(theirs, "others")] : [];
      });
    });
    if (problems.length > 0) {
      const headline = problems.some(({ key }) => key === "own") ? {} : { headline: { key: "headline-others" as const } };
      return { status: "fail", problems, ...headline, because: [{ key: "sure" }], ruledOut: [{ check: "cainjector-rbac", key: "not-rights" }] };
    }
    if (limited.length > 0 && injectionSources.state === "missing") return { status: "needs", fact: "injectionSources" };
    return { status: "pass" };
  },
});

/** The flags of cainjector that exclude something, and what. */
function limitsOf(cainjector: Deployment): readonly Limit[] {
  const { namespace = "", name } = cainjector.metadata;
  const { containers } = cainjector.spec.template.spec;
  const main = mainContainer(cainjector);
  return (main?.args ?? []).flatMap((arg, index) => {
    const path = `spec.template.spec.containers[${main ? containers.indexOf(main) : 0}].args[${index}]`;
    const excludes = exclusionOf(arg.replaceAll("$(POD_NAMESPACE)", namespace));
    return excludes ? [{ evidence: { object: { kind: "Deployment", namespace, name }, path, value: arg }, excludes }] : [];
  });
}

function exclusionOf(arg: string): Limit["excludes"] | undefined {
  const sourceOf = (object: KubeObject): string | undefined => injectionRequest(object)?.source?.namespace;
  const [, flag = "", value = ""] = /^--([\w-]+)=(.*)$/.exec(arg) ?? [];
  if (flag === "namespace" && value) return (object) => ![undefined, value].includes(sourceOf(object));
  if (flag === "ignore-namespaces") return (object) => value.split(",").includes(sourceOf(object) ?? "");
  if (value !== "false") return undefined;
  if (flag === "enable-certificates-data-source") return (object) => injectionRequest(object)?.from === "certificate";
  const kind = /^enable-(\w+)s-injectable$/.exec(flag)?.[1];
  return kind ? (object) => object.kind?.toLowerCase() === kind && injectionRequest(object) !== undefined : undefined;
}

function requested(target: KubeObject): readonly Evidence[] {
  const request = injectionRequest(target);
  return request
    ? [{ object: { kind: target.kind ?? "", name: target.metadata.name }, path: metadataPath("annotations", request.annotation), value: request.value }]
    : [];
}

function fix(install: Install, { metadata: { name } }: Deployment, { path, value }: Evidence) {
  const pointer = `/${path.replaceAll(/\[(\d+)\]/g, "/$1").replaceAll(".", "/")}`;
  const patch = JSON.stringify([
    { op: "test", path: pointer, value },
    { op: "remove", path: pointer },
  ]);
  return [
    {
      title: { key: "remove" as const },
      for: "kubectl" as const,
      command: `kubectl -n ${install.namespace} patch deployment ${name} --type=json -p '${patch}'`,
      effect: "cluster" as const,
      changes: { key: "remove-changes" as const },
      undo: { key: "remove-undo" as const },
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
