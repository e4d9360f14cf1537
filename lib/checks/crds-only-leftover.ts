import { type CrdOwners, crdOwners, releaseState } from "../derive/crd-owners.ts";
import { forgetRelease, forgetStrings } from "../derive/forget-release.ts";
import { handoverTarget } from "../derive/handover-target.ts";
import { forHelm4, helmInstall, helmUpgrade } from "../kube/commands.ts";
import { deleteCrds, type HandoverTarget, listInstances, takeOwnership, valuesWithoutCrds } from "../kube/crd-handover.ts";
import { gitOpsOwnerOf, isAppliedByGitOps } from "../kube/gitops.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { readOwnershipErrors } from "../kube/ownership-error.ts";
import { defineCheck } from "../model/check.ts";
import { type HelmRelease, knownValue } from "../model/facts.ts";

const releaseName = "meta.helm.sh/release-name";
const version = "app.kubernetes.io/version";

export default defineCheck({
  id: "crds-only-leftover",
  area: "discovery",
  severity: "blocker",
  needs: ["crds", "deployments"],
  uses: ["instanceCounts", "helmReleases", "reportedErrors"],
  causedBy: ["crd-conversion-webhook-leftover", "olm-csv-failed", "gke-autopilot-webhook-denied"],
  sources: ["catalogue 1.1 crds-only-leftover", "https://github.com/cert-manager/cert-manager/issues/6721", "https://cert-manager.io/docs/installation/helm/"],
  strings: {
    title: "CRDs without cert-manager",
    headline: "*Certificates and Issuers are accepted and then nothing happens to them,* because only cert-manager's CRDs are here.",
    why: "The API server stores objects of these kinds, but no controller works on them: nothing is issued, and what was issued earlier isn't renewed. The CRDs stay behind on purpose when a release is uninstalled, since deleting them deletes every object in them.",
    ignore: "Between applying the CRDs and installing the components of the same set-up this is normal.",
    holding: {
      text: "{crds, plural, one {# CRD of cert-manager is} other {# CRDs of cert-manager are}} here with about {objects, plural, one {# object} other {# objects}} in {crds, plural, one {it} other {them}}, and no controller, webhook or cainjector in any namespace.",
      note: "the number of objects is the API server's estimate",
    },
    empty:
      "{crds, plural, one {# CRD of cert-manager is} other {# CRDs of cert-manager are}} here without a single object in {crds, plural, one {it} other {them}}, and no controller, webhook or cainjector in any namespace.",
    uncounted:
      "{crds, plural, one {# CRD of cert-manager is} other {# CRDs of cert-manager are}} here, and no controller, webhook or cainjector in any namespace. What {crds, plural, one {it holds} other {they hold}} couldn't be counted.",
    claimed:
      "{crds, plural, one {# CRD of cert-manager belongs} other {# CRDs of cert-manager belong}} to Helm release {release} in namespace {namespace}. Helm still has that release, but none of its components is in the cluster.",
    sure: "Deployments were looked for in all namespaces, and none of them runs a part of cert-manager.",
    "not-nothing": "CRDs are here, so this is no empty cluster.",
    "not-crds-missing": "The CRDs are what is left; what is missing are the components.",
    look: "See what the CRDs hold",
    reuse: { text: "Install cert-manager again as {release}", note: "{release} is a Helm release's name" },
    "reuse-changes":
      "The CRDs carry the name of release {release}, so Helm takes them back without a question. They are brought to the version that is installed; the objects in them stay, and are worked on again.",
    ...forgetStrings,
    undo: "Run `helm uninstall {release} --namespace {namespace}`: the components go, the CRDs and their objects stay.",
    adopt: "Install cert-manager and hand the CRDs to it",
    "adopt-changes":
      "Helm installs cert-manager and marks the CRDs as belonging to release {release}. They are brought to the version that is installed; the objects in them stay, and are worked on again. The command needs Helm 3.17 or later.",
    repair: { text: "Bring the components of release {release} back", note: "{release} is a Helm release's name" },
    "repair-changes": "Helm creates the missing objects of the release again, in the version of its CRDs. Objects in the CRDs stay, and are worked on again.",
    beside: { text: "Install cert-manager with the CRDs left to {tool}", note: "{tool} is Argo CD or Flux" },
    "beside-changes": "{tool} keeps these CRDs as its repository has them. With this value the chart installs the components and leaves the CRDs alone.",
    delete: "Or delete the CRDs, which hold nothing",
    "delete-changes":
      "The CRDs are deleted, and with them whatever is created in them before the command runs. When they were counted they held no object. Look again first.",
    none: "None of cert-manager's CRDs is in the cluster.",
  },
  run({ crds, deployments, instanceCounts, helmReleases, reportedErrors }) {
    const owners = crdOwners({ crds });
    const names = owners.present.map((crd) => crd.metadata.name);
    const [first] = names;
    if (first === undefined) return { status: "not-applicable", because: { key: "none" } };
    if (deployments.length > 0) return { status: "pass" };

    const [refusal] = readOwnershipErrors(knownValue(reportedErrors) ?? []);
    const refused = owners.present.find((crd) => crd.metadata.name === refusal?.object.name);
    const target = refusal && handoverTarget({ deployments }, refusal, refused);
    const live = owners.stamped.find((owner) => releaseState(owner, knownValue(helmReleases)) === "live");
    const counts = knownValue(instanceCounts);
    const objects = counts?.reduce((sum, { count }) => sum + count, 0);
    const isEmpty = objects === 0 && counts?.length === names.length;
    const mayGo = isEmpty && !live && !owners.present.some(isAppliedByGitOps);
    return {
      status: "fail",
      problems: [
        {
          key: live ? "claimed" : objects === undefined ? "uncounted" : isEmpty ? "empty" : "holding",
          values: { crds: names.length, objects: objects ?? 0, release: live?.release ?? "", namespace: live?.namespace ?? "" },
          severity: "blocker",
          subject: { kind: "CustomResourceDefinition", name: first },
          evidence: owners.present.map(({ metadata }) => ({
            object: { kind: "CustomResourceDefinition", name: metadata.name },
            path: metadata.annotations?.[releaseName] ? metadataPath("annotations", releaseName) : metadataPath("labels", version),
            value: metadata.annotations?.[releaseName] ?? metadata.labels?.[version] ?? null,
          })),
          fix: [
            { title: { key: "look" }, for: "kubectl", command: listInstances(names), effect: "none" },
            ...(live ? [repair(live)] : install(owners, target, knownValue(helmReleases))),
            ...(mayGo
              ? [
                  {
                    title: { key: "delete" as const },
                    for: "kubectl" as const,
                    command: deleteCrds(names),
                    effect: "deletes-data" as const,
                    changes: { key: "delete-changes" as const },
                    instead: true,
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "sure" }],
      ruledOut: [
        { check: "not-installed", key: "not-nothing" },
        { check: "crds-missing", key: "not-crds-missing" },
      ],
    };
  },
});

/** Helm's own release lost its components: it makes them again, in the version of its CRDs. */
function repair({ release, namespace, crds }: CrdOwners["stamped"][number]) {
  const label = crds[0]?.metadata.labels?.[version] ?? "";
  return {
    title: { key: "repair" as const, values: { release } },
    for: "helm" as const,
    command: helmUpgrade({ release, namespace, version: label }),
    effect: "cluster" as const,
    changes: { key: "repair-changes" as const },
  };
}

/**
 * The install that gets on with the CRDs as they are: beside GitOps, under the name that they carry, or taking them over for `target`,
 * the release that Helm refused them to.
 */
function install({ present, stamped, unstamped }: CrdOwners, target: HandoverTarget | undefined, records: readonly HelmRelease[] | undefined) {
  const gitOps = present.map(gitOpsOwnerOf).find(Boolean);
  if (gitOps) {
    const values = { tool: gitOps.tool };
    return [
      {
        title: { key: "beside" as const, values },
        for: "values" as const,
        command: valuesWithoutCrds(""),
        effect: "cluster" as const,
        changes: { key: "beside-changes" as const, values },
      },
    ];
  }
  const [owner] = stamped;
  const { release, namespace } = target ?? owner ?? { release: "cert-manager", namespace: "cert-manager" };
  const values = { release, namespace };
  const others = stamped.filter((one) => one.release !== release || one.namespace !== namespace);
  const own = others.length === 0 && unstamped.length === 0;
  return [
    ...others.filter((one) => releaseState(one, records) === "uninstalled").map(forgetRelease),
    {
      title: own ? { key: "reuse" as const, values } : { key: "adopt" as const },
      for: "helm" as const,
      command: own ? helmInstall(release, namespace, forHelm4) : takeOwnership({ ...values, version: "", exists: false }),
      effect: "cluster" as const,
      changes: own ? { key: "reuse-changes" as const, values } : { key: "adopt-changes" as const, values },
      undo: { key: "undo" as const, values },
    },
  ];
}
