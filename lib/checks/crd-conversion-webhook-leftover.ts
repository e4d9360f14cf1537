import { installs } from "../derive/installs.ts";
import { applyManifest, lines, reapply } from "../kube/commands.ts";
import { readWebhookCall, type WebhookCall } from "../kube/error-text.ts";
import type { Install } from "../kube/install.ts";
import { isAtLeast } from "../kube/version.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { type ApiProbe, type Fact, knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { CustomResourceDefinition } from "../model/kubernetes.ts";

/** The last release whose webhook converts. */
const lastConverting = "v1.6.3";

export default defineCheck({
  id: "crd-conversion-webhook-leftover",
  area: "crds",
  severity: "blocker",
  needs: ["crds", "deployments"],
  uses: ["crdDetails", "apiProbe", "reportedErrors"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: /conversion webhook for (?:acme\.)?cert-manager\.io\/v1\w*, Kind=\w+ failed/ }],
  sources: [
    "catalogue 1.4 crd-conversion-webhook-leftover",
    "https://github.com/cert-manager/cert-manager/issues/4304",
    "https://github.com/cert-manager/cert-manager/issues/4838",
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
  ],
  strings: {
    title: "Conversion webhook left in a CRD",
    headline: "*Objects of a kind can't be read, changed or deleted,* because its CRD names a webhook for conversion that no release since 1.7 has.",
    "idle-headline": "*Objects in an older version couldn't be read,* because a CRD still names a webhook for conversion that no release since 1.7 has.",
    why: "Until 1.6 cert-manager's CRDs had several versions, and its webhook turned one into the other. Where the CRD still names that webhook, the API server calls it for every object that is stored in another version than the one asked for, in reads as well: lists fail, controllers wait, and neither the CRD nor its namespaces can be deleted.",
    ignore: "As long as all objects are stored in version v1 the webhook is never called.",
    stored: {
      text: "CRD {name} converts by the webhook {target}, and has stored or still serves older versions than v1: {versions}.",
      note: "{versions} is a list like: v1alpha2, v1",
    },
    terminating: "CRD {name} is being deleted and converts by the webhook {target}: objects in an older version can't be deleted before they can be read.",
    failing: "CRD {name} converts by the webhook {target}, and the API server's call to it fails: at least one object is stored in an older version.",
    idle: "CRD {name} converts by the webhook {target}. All that is stored is said to be in version v1, so it isn't called now.",
    since: "Releases since 1.7 have one version of each kind, and no webhook that converts.",
    none: "cert-manager's CRDs aren't installed.",
    versions: "See which versions are stored",
    drop: "Take the conversion out of the CRD",
    "drop-changes":
      "The API server doesn't call a webhook for this kind any more. The command does nothing where anything but v1 is stored. No object is touched.",
    "drop-undo": "Applying the CRDs of a release before 1.7 brings the conversion back.",
    release: "Let the deletion go on",
    "release-changes":
      "The API server reads the objects as they are stored and finishes the deletion that was asked for: CRD {name} goes, and every object of its kind with it.",
    converting: "Bring back the last release that converts, {version}, for as long as it takes",
    "converting-changes":
      "cert-manager {version} is installed with its CRDs, over a newer one where there is one. Objects can be read again. Certificates and Secrets stay as they are.",
    "converting-undo": "The last step installs the newer release again.",
    migrate: "Store every object in version v1",
    "migrate-changes": "Each object of cert-manager's kinds is written once, unchanged. After that the CRDs say that nothing older is stored.",
    forward: "Go back to the release that was there",
    "forward-changes": "The manifest of {version} is applied again. Its CRDs have no conversion.",
  },
  run({ crds, deployments, crdDetails, apiProbe, reportedErrors }) {
    if (crds.every(({ object }) => !object)) return { status: "not-applicable", because: { key: "none" } };
    if (crdDetails.state === "not-asked") return { status: "pass" };
    if (crdDetails.state !== "known") return { status: "needs", fact: "crdDetails" };
    // Before 1.7 the webhook that converts is a part of the install.
    const found = installs({ deployments });
    if (found.some(({ version }) => !isAtLeast(version, "1.7.0"))) return { status: "pass" };
    const failures = conversionFailures(apiProbe, knownValue(reportedErrors) ?? []);
    const converting = crdDetails.value.flatMap(({ object }) => (object?.spec?.conversion?.strategy === "Webhook" ? [object] : []));
    if (converting.length === 0) return { status: "pass" };
    const problems = converting.map((crd) => problemOf(crd, failures, found[0]));
    return {
      status: "fail",
      problems,
      ...(problems.every(({ key }) => key === "idle") ? { headline: { key: "idle-headline" as const } } : {}),
      because: [{ key: "since" }],
    };
  },
});

interface Failure {
  readonly call: WebhookCall;
  readonly message: string;
}

function conversionFailures(apiProbe: Fact<ApiProbe>, reported: readonly string[]): readonly Failure[] {
  const valid = knownValue(apiProbe)?.valid;
  return [...(valid && !valid.accepted ? [valid.message] : []), ...reported].flatMap((message) => {
    const call = readWebhookCall(message);
    return call?.ours && call.purpose === "conversion" ? [{ call, message }] : [];
  });
}

function problemOf(crd: CustomResourceDefinition, failures: readonly Failure[], install: Install | undefined) {
  const { name, deletionTimestamp } = crd.metadata;
  const object = { kind: "CustomResourceDefinition", name };
  const client = crd.spec?.conversion?.webhook?.clientConfig;
  const target = client?.service ? `${client.service.namespace}/${client.service.name}` : (client?.url ?? "");
  const stored = crd.status?.storedVersions ?? [];
  const served = (crd.spec?.versions ?? []).flatMap((version) => (version.served ? [version.name] : []));
  const versions = [...new Set([...stored, ...served])].filter((version) => version !== undefined);
  const onlyV1 = stored.length === 1 && stored[0] === "v1" && served.every((version) => version === "v1");
  const seen = failures.filter(({ call }) => call.hook.endsWith(`Kind=${crd.spec?.names?.kind}`));
  const key = deletionTimestamp ? "terminating" : !onlyV1 ? "stored" : seen.length > 0 ? "failing" : "idle";
  const evidence: readonly Evidence[] = [
    { object, path: "spec.conversion.strategy", value: "Webhook" },
    ...(client?.service ? [{ object, path: "spec.conversion.webhook.clientConfig.service", value: target }] : []),
    { object, path: "status.storedVersions", value: JSON.stringify(stored) },
    ...(deletionTimestamp ? [{ object, path: "metadata.deletionTimestamp", value: deletionTimestamp }] : []),
    ...seen.map(({ message }) => ({ object, path: "answer", value: message })),
  ];
  return {
    key,
    values: { name, target, versions: versions.join(", ") },
    severity: key === "idle" ? ("warning" as const) : ("blocker" as const),
    subject: object,
    evidence,
    fix: [
      {
        title: { key: "versions" as const },
        for: "kubectl" as const,
        command: `kubectl get crd ${name} -o jsonpath='{.status.storedVersions}{"\\n"}{.spec.versions[*].name}{"\\n"}{.spec.conversion.strategy}{"\\n"}'`,
        effect: "none" as const,
      },
      ...(key === "terminating" ? [release(name)] : key === "idle" ? [drop(name)] : migration(install)),
    ],
  } as const;
}

/** Refuses where anything but v1 is stored: it would be returned unconverted. */
function drop(name: string) {
  const patch = [
    { op: "test", path: "/status/storedVersions", value: ["v1"] },
    { op: "replace", path: "/spec/conversion", value: { strategy: "None" } },
  ];
  return {
    title: { key: "drop" as const },
    for: "kubectl" as const,
    command: `kubectl patch crd ${name} --type=json -p '${JSON.stringify(patch)}'`,
    effect: "cluster" as const,
    changes: { key: "drop-changes" as const },
    undo: { key: "drop-undo" as const },
  };
}

/** What is returned unconverted matters to nobody where it is on its way out. */
function release(name: string) {
  const patch = [{ op: "replace", path: "/spec/conversion", value: { strategy: "None" } }];
  return {
    title: { key: "release" as const },
    for: "kubectl" as const,
    command: `kubectl patch crd ${name} --type=json -p '${JSON.stringify(patch)}'`,
    effect: "deletes-data" as const,
    changes: { key: "release-changes" as const, values: { name } },
  };
}

type MigrationKey = "converting" | "converting-changes" | "converting-undo" | "migrate" | "migrate-changes" | "forward" | "forward-changes";

/** Older versions can be read only by the webhook that was made for them. */
function migration(install: Install | undefined): readonly FixStep<MigrationKey>[] {
  const { release = "cert-manager", namespace = "cert-manager", method } = install ?? {};
  const webhook = install?.components.webhook?.metadata.name ?? "cert-manager-webhook";
  // An operator's or a product's own install takes no other release by hand.
  if (method === "olm") return [];
  const version = lastConverting;
  const helm = lines(
    `helm upgrade --install ${release} cert-manager --repo https://charts.jetstack.io`,
    `--namespace ${namespace} --create-namespace --version ${version}`,
    "--set installCRDs=true",
  );
  const back: FixStep<MigrationKey> = {
    title: { key: "converting", values: { version } },
    for: method === "helm" ? "helm" : "kubectl",
    command: `${method === "helm" ? helm : applyManifest(version)}\nkubectl -n ${namespace} rollout status deployment/${webhook}`,
    effect: "cluster",
    changes: { key: "converting-changes", values: { version } },
    undo: { key: "converting-undo" },
  };
  const migrate: FixStep<MigrationKey> = {
    title: { key: "migrate" },
    for: "kubectl",
    command: "cmctl upgrade migrate-api-version",
    effect: "cluster",
    changes: { key: "migrate-changes" },
  };
  const forward = install
    ? reapply(install, { title: { key: "forward" as const }, changes: { key: "forward-changes" as const, values: { version: install.version } } })
    : [];
  return [back, migrate, ...forward];
}
