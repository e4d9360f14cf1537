import { handoverSteps, handoverStrings } from "../derive/crd-handover-steps.ts";
import { crdOwners } from "../derive/crd-owners.ts";
import { areEmpty, handoverTarget } from "../derive/handover-target.ts";
import { installs } from "../derive/installs.ts";
import { takeOwnership } from "../kube/crd-handover.ts";
import { isAppliedByGitOps } from "../kube/gitops.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { helmOwnerOf } from "../kube/ownership.ts";
import { readOwnershipErrors } from "../kube/ownership-error.ts";
import type { Evidence } from "../model/check.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";
import { refText } from "../model/object-ref.ts";

const managedBy = "app.kubernetes.io/managed-by";
const releaseName = "meta.helm.sh/release-name";
const releaseNamespace = "meta.helm.sh/release-namespace";

export default defineCheck({
  id: "helm-ownership-missing",
  area: "helm-ownership",
  severity: "blocker",
  needs: ["crds", "deployments", "reportedErrors"],
  uses: ["instanceCounts"],
  causedBy: ["crds-only-leftover"],
  patterns: [
    {
      in: "anywhere",
      text: /(?:"(?<name>[^"]*cert-?manager[^"]*)" in namespace "[^"]*" exists and cannot be imported into the current release: |(?<!current release: ))invalid ownership metadata(?![\s\S]*annotation validation error: key)/,
    },
    {
      in: "anywhere",
      text: /^(?![\s\S]*invalid ownership metadata)(?![\s\S]*annotation validation error: key)[\s\S]*label validation error: missing key "app\.kubernetes\.io\/managed-by"/,
    },
  ],
  sources: [
    "catalogue 1.5 helm-ownership-missing",
    "catalogue 0.7.1, 0.7.2, 0.7.4",
    "https://github.com/helm/helm/pull/13439",
    "https://cert-manager.io/docs/installation/helm/",
  ],
  strings: {
    title: "Objects that no Helm release owns",
    headline: "*Helm refuses to install or upgrade cert-manager,* because objects that it would create are already there without its marks.",
    why: "Helm takes over an object only if its label and two annotations name the release. Objects that kubectl, a static manifest or `helm template` made don't have them. Helm names only the first such object in its error; the others stop it next.",
    ignore: "It doesn't matter to those who don't install cert-manager with Helm.",
    leftover:
      "{crds, plural, offset:1 =1 {CRD {name} belongs} one {CRD {name} and one more belong} other {CRD {name} and # more belong}} to no Helm release, so Helm refuses to install cert-manager with its CRDs.",
    reported:
      "{crds, plural, offset:1 =1 {CRD {name} belongs} one {CRD {name} and one more belong} other {CRD {name} and # more belong}} to no Helm release, and Helm refused to take {crds, plural, one {it} other {them}} into release {release}.",
    object: { text: "Helm refused to take {object} into release {release}, because it belongs to no release.", note: "{object} is Kind/namespace/name" },
    templated: "The CRDs have Helm's label but no release annotation, as `helm template` and Argo CD render them. That isn't enough for Helm.",
    marks: "Helm compares the label and the annotations that are shown as evidence, and nothing else; its `--force` option doesn't skip that.",
    "not-other": "No other release is named on these objects, so nothing is taken away from one.",
    ...handoverStrings,
    "adopt-object": { text: "Hand the object to release {release}", note: "{release} is a Helm release's name" },
    "adopt-object-changes":
      "Helm deploys release {release} in namespace {namespace} and takes over every object of the chart that is there already, with the contents that the chart gives it. Nothing is deleted. The command needs Helm 3.17 or later.",
    "adopt-object-undo":
      "Remove the label `app.kubernetes.io/managed-by` and both `meta.helm.sh` annotations from the object before the release is uninstalled; else it goes with it.",
    outside:
      "The CRDs belong to no release, which is right for an install that keeps them apart. Helm refuses them only where its chart is told to bring CRDs.",
    "no-helm": "The CRDs belong to no release, and cert-manager isn't installed with Helm here.",
    none: "None of cert-manager's CRDs is here, and no error of Helm was reported.",
  },
  run({ crds, deployments, reportedErrors, instanceCounts }) {
    const { present, unstamped } = crdOwners({ crds });
    const errors = readOwnershipErrors(reportedErrors).filter((error) => !error.current);
    const onCrd = errors.find(({ object }) => unstamped.some((crd) => crd.metadata.name === object.name));
    const refused = unstamped.find((crd) => crd.metadata.name === onCrd?.object.name);
    const objects = errors.filter(({ object }) => object.kind !== "CustomResourceDefinition");
    const [first] = unstamped;
    const target = handoverTarget({ deployments }, onCrd, refused);

    const ofCrds =
      first && (onCrd || deployments.length === 0)
        ? [
            {
              key: onCrd ? ("reported" as const) : ("leftover" as const),
              values: { name: onCrd?.object.name ?? first.metadata.name, crds: unstamped.length, release: target.release },
              severity: "blocker" as const,
              subject: { kind: "CustomResourceDefinition", name: onCrd?.object.name ?? first.metadata.name },
              evidence: unstamped.map(missingMark),
              fix: handoverSteps(target, unstamped, deployments.length === 0 && areEmpty(unstamped, knownValue(instanceCounts))),
            },
          ]
        : [];
    const ofObjects = objects.map((error) => {
      const own = handoverTarget({ deployments }, error);
      const values = { release: own.release, namespace: own.namespace };
      return {
        key: "object" as const,
        values: { object: refText(error.object), release: own.release },
        severity: "blocker" as const,
        subject: error.object,
        evidence: [{ object: error.object, path: metadataPath("annotations", releaseName), value: null }],
        fix: deployments.some(isAppliedByGitOps)
          ? []
          : [
              {
                title: { key: "adopt-object" as const, values },
                for: "helm" as const,
                command: takeOwnership(own),
                effect: "cluster" as const,
                changes: { key: "adopt-object-changes" as const, values },
                undo: { key: "adopt-object-undo" as const },
              },
            ],
      };
    });
    const problems = [...ofCrds, ...ofObjects];
    if (problems.length > 0) {
      const templated = unstamped.length > 0 && unstamped.every((crd) => helmOwnerOf(crd).managedByHelm);
      return {
        status: "fail",
        problems,
        because: [{ key: "marks" }, ...(templated ? [{ key: "templated" as const }] : [])],
        ruledOut: [{ check: "helm-ownership-other-release", key: "not-other" }],
      };
    }
    if (present.length === 0) return { status: "not-applicable", because: { key: "none" } };
    if (unstamped.length === 0) return { status: "pass" };
    const byHelm = installs({ deployments }).some((install) => install.method === "helm");
    return { status: "not-applicable", because: { key: byHelm ? "outside" : "no-helm" } };
  },
});

/** The first of the marks that Helm would miss on the CRD. */
function missingMark({ metadata }: KubeObject): Evidence {
  const object = { kind: "CustomResourceDefinition", name: metadata.name };
  const label = metadata.labels?.[managedBy];
  if (label !== "Helm") return { object, path: metadataPath("labels", managedBy), value: label ?? null };
  const key = metadata.annotations?.[releaseName] ? releaseNamespace : releaseName;
  return { object, path: metadataPath("annotations", key), value: null };
}
