import { installs } from "../derive/installs.ts";
import { chartVersion, setValues } from "../kube/chart-values.ts";
import { applyManifest, reapply } from "../kube/commands.ts";
import { crdsValues } from "../kube/crd-handover.ts";
import type { Install } from "../kube/install.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { helmOwnerOf } from "../kube/ownership.ts";
import { compareVersions, versionNumbers } from "../kube/version.ts";
import { defineCheck } from "../model/check.ts";
import type { KubeObject } from "../model/kubernetes.ts";

const label = "app.kubernetes.io/version";

export default defineCheck({
  id: "crds-version-skew",
  area: "version-skew",
  severity: "degraded",
  needs: ["crds", "deployments"],
  uses: [],
  causedBy: ["multiple-installs"],
  patterns: [
    {
      in: "anywhere",
      text: /(?:CertificateRequest|Certificate|ClusterIssuer|Issuer) in version "v1" cannot be handled as an? \w+: strict decoding error: .*unknown field "(?<field>[^"]+)"/,
    },
    { in: "anywhere", text: /unknown field "(?<field>spec\.acme\.[^"]+)"/ },
    { in: "anywhere", text: /ValidationError\((?:CertificateRequest|Certificate|ClusterIssuer|Issuer)\.spec[^)]*\): unknown field "(?<field>[^"]+)"/ },
  ],
  sources: ["catalogue 1.12 crds-version-skew", "catalogue 0.7.11", "https://cert-manager.io/docs/installation/upgrade/"],
  strings: {
    title: "CRDs of another version than cert-manager",
    headline: "*Fields of Certificates and Issuers can be refused or dropped,* because the CRDs aren't of the version that runs.",
    why: "The CRDs tell the API server which fields an object may have. CRDs that are older than the components don't know their newer fields; CRDs that are newer let fields through that the components don't act on. It happens where CRDs are applied apart from the components and one of the two was forgotten in an upgrade.",
    ignore: "During an upgrade that applies the CRDs first, newer CRDs are normal until the components follow.",
    older: {
      text: "{crds, plural, offset:1 =1 {{name} is} one {{name} and one more CRD are} other {{name} and # more CRDs are}} of version {have}, and {component} in namespace {namespace} runs {want}.",
      note: "{crds} counts all of them, # those beside {name}; {have} and {want} are versions",
    },
    newer: {
      text: "{crds, plural, offset:1 =1 {{name} is} one {{name} and one more CRD are} other {{name} and # more CRDs are}} of version {have}, newer than {want}, which {component} in namespace {namespace} runs.",
      note: "{crds} counts all of them, # those beside {name}; {have} and {want} are versions",
    },
    sure: "The version is the one in the label that each release's own manifests put on its CRDs, compared with the image that runs.",
    raise: "Bring the CRDs to the version of the components",
    "raise-changes":
      "The CRDs are replaced with those of {want}. Objects in them stay as they are; fields that were dropped earlier have to be applied again from their manifests.",
    "raise-undo": "Don't go back to older CRDs once objects use fields of the newer ones: they would be dropped.",
    upgrade: "Bring the components to the version of the CRDs",
    "upgrade-changes":
      "The components are upgraded to {have} and their pods restart; Certificates and Secrets stay. Upgrades go one minor version at a time, so where more lie between, take each in turn.",
    "upgrade-undo": "Take the components back to {want} the same way. Leave the CRDs: older ones would drop fields that stored objects use.",
    compare: "See both versions",
    unlabelled: "No CRD carries the label that would say its version.",
    unversioned: "The components don't say which version they run.",
    none: "No component of cert-manager runs here to compare the CRDs with.",
  },
  run({ crds, deployments }) {
    const found = installs({ deployments });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const versioned = found.filter((install) => versionNumbers(install.version));
    if (versioned.length === 0) return { status: "not-applicable", because: { key: "unversioned" } };
    const labelled = crds.flatMap(({ object }) => (object && versionNumbers(versionOf(object)) ? [object] : []));
    if (labelled.length === 0) return { status: "not-applicable", because: { key: "unlabelled" } };
    const problems = versioned.flatMap((install) =>
      [...byVersion(labelled)].flatMap(([have, group]) => {
        const difference = compareVersions(have, install.version) ?? 0;
        return difference === 0 ? [] : [problem(install, have, group, difference)];
      }),
    );
    return problems.length > 0 ? { status: "fail", problems, because: [{ key: "sure" }] } : { status: "pass" };
  },
});

function versionOf(crd: KubeObject): string {
  return crd.metadata.labels?.[label] ?? "";
}

function byVersion(crds: readonly KubeObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  return Map.groupBy(crds, versionOf);
}

function problem(install: Install, have: string, group: readonly KubeObject[], difference: number) {
  const [name = "", ...others] = group.map((crd) => crd.metadata.name);
  const older = difference < 0;
  const component = install.components.controller ?? install.components.webhook ?? install.components.cainjector;
  const values = { name, crds: others.length + 1, have, want: install.version, component: component?.metadata.name ?? "", namespace: install.namespace };
  return {
    key: older ? ("older" as const) : ("newer" as const),
    values,
    severity: isSameMinor(have, install.version) ? ("warning" as const) : ("degraded" as const),
    subject: { kind: "CustomResourceDefinition", name },
    install: install.namespace,
    evidence: [
      ...group.map((crd) => ({
        object: { kind: "CustomResourceDefinition", name: crd.metadata.name },
        path: metadataPath("labels", label),
        value: versionOf(crd),
      })),
      ...(component
        ? [
            {
              object: { kind: "Deployment", namespace: install.namespace, name: component.metadata.name },
              path: "spec.template.spec.containers[0].image",
              value: component.spec.template.spec.containers[0]?.image ?? null,
            },
          ]
        : []),
    ],
    fix: [
      ...(older ? raise(install, group) : upgrade(install, have)),
      {
        title: { key: "compare" as const },
        for: "kubectl" as const,
        command: `kubectl get crd ${[name, ...others].join(" ")} -L ${label}\nkubectl -n ${install.namespace} get deployments -o wide`,
        effect: "none" as const,
      },
    ],
  };
}

function isSameMinor(a: string, b: string): boolean {
  const [x, y] = [versionNumbers(a), versionNumbers(b)];
  return x?.[0] === y?.[0] && x?.[1] === y?.[1];
}

/** A release that owns the CRDs brings them itself; any others are applied from the release's own file. */
function raise(install: Install, group: readonly KubeObject[]) {
  const step = {
    title: { key: "raise" as const },
    changes: { key: "raise-changes" as const, values: { want: install.version } },
    undo: { key: "raise-undo" as const },
  };
  const manifest = { ...step, for: "kubectl" as const, command: applyManifest(install.version, "cert-manager.crds.yaml"), effect: "cluster" as const };
  const owned = group.map(helmOwnerOf).every((owner) => owner.managedByHelm && owner.release === install.release && owner.namespace === install.namespace);
  // A pinned image tag runs ahead of its chart, which would bring the same old CRDs again.
  if (install.method !== "helm" || !owned || chartVersion(install) !== install.version) return [manifest];
  return setValues(install, step, crdsValues(chartVersion(install), true));
}

function upgrade(install: Install, have: string) {
  if (install.method === "olm") return [];
  return reapply(
    { ...install, version: `v${versionNumbers(have)?.join(".")}` },
    {
      title: { key: "upgrade" as const },
      changes: { key: "upgrade-changes" as const, values: { have } },
      undo: { key: "upgrade-undo" as const, values: { want: install.version } },
    },
  );
}
