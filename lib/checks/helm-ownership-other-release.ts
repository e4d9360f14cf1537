import { handoverSteps, handoverStrings } from "../derive/crd-handover-steps.ts";
import { type CrdOwners, crdOwners, type ReleaseName, type ReleaseState, releaseState } from "../derive/crd-owners.ts";
import { forgetRelease, forgetStrings } from "../derive/forget-release.ts";
import { areEmpty, handoverTarget } from "../derive/handover-target.ts";
import { installs } from "../derive/installs.ts";
import { deployWithoutCrds, type HandoverTarget } from "../kube/crd-handover.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { readOwnershipErrors } from "../kube/ownership-error.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import { refText } from "../model/object-ref.ts";

export default defineCheck({
  id: "helm-ownership-other-release",
  area: "helm-ownership",
  severity: "blocker",
  needs: ["crds", "deployments", "reportedErrors"],
  uses: ["helmReleases", "instanceCounts"],
  causedBy: ["crds-only-leftover"],
  patterns: [
    {
      in: "anywhere",
      text: /(?:"(?<name>[^"]*cert-?manager[^"]*)" in namespace "[^"]*" exists and cannot be imported into the current release: |(?<!current release: ))invalid ownership metadata[\s\S]*?annotation validation error: key "meta\.helm\.sh\/release-(?:name|namespace)" must equal "(?<want>[^"]+)": current value is "(?<have>[^"]+)"/,
    },
    {
      in: "anywhere",
      text: /^(?![\s\S]*invalid ownership metadata)[\s\S]*?annotation validation error: key "meta\.helm\.sh\/release-(?:name|namespace)" must equal "(?<want>[^"]+)": current value is "(?<have>[^"]+)"/,
    },
  ],
  sources: [
    "catalogue 1.5 helm-ownership-other-release",
    "catalogue 0.7.1, 0.7.3, 0.7.4",
    "https://github.com/helm/helm/pull/13439",
    "https://cert-manager.io/docs/installation/helm/",
  ],
  strings: {
    title: "CRDs that belong to another Helm release",
    headline: "*Helm refuses to install or upgrade cert-manager,* because its CRDs carry the name of another release.",
    why: "Helm takes over an object only if its label and two annotations name the very release that is deployed. Charts since 1.15 keep their CRDs when they are uninstalled, with the old release's name on them, so an install under another name or in another namespace stops there.",
    ignore: "It doesn't matter to those who don't install cert-manager with Helm.",
    gone: {
      text: "{crds, plural, offset:1 =1 {CRD {name} belongs} one {CRD {name} and one more belong} other {CRD {name} and # more belong}} to release {have} in namespace {haveNamespace}, which Helm doesn't have any more, so Helm refuses {crds, plural, one {it} other {them}} to release {want} in namespace {wantNamespace}.",
      note: "{have} and {want} are names of Helm releases",
    },
    live: {
      text: "{crds, plural, offset:1 =1 {CRD {name} belongs} one {CRD {name} and one more belong} other {CRD {name} and # more belong}} to release {have} in namespace {haveNamespace}, which Helm still has, so Helm refuses {crds, plural, one {it} other {them}} to release {want} in namespace {wantNamespace}.",
      note: "{have} and {want} are names of Helm releases",
    },
    unread: {
      text: "{crds, plural, offset:1 =1 {CRD {name} belongs} one {CRD {name} and one more belong} other {CRD {name} and # more belong}} to release {have} in namespace {haveNamespace}, so Helm refuses {crds, plural, one {it} other {them}} to release {want} in namespace {wantNamespace}. Whether {have} still exists couldn't be read.",
      note: "{have} and {want} are names of Helm releases",
    },
    stale: {
      text: "{crds, plural, offset:1 =1 {CRD {name} belongs} one {CRD {name} and one more belong} other {CRD {name} and # more belong}} to release {have} in namespace {haveNamespace}, which is gone. No upgrade of release {want} renews {crds, plural, one {it} other {them}}, and Helm refuses one that is to bring CRDs.",
      note: "{have} and {want} are names of Helm releases",
    },
    object: {
      text: "Helm refused to take {object} into release {want} in namespace {wantNamespace}, because it belongs to release {have} in namespace {haveNamespace}.",
      note: "{object} is Kind/namespace/name; {have} and {want} are names of Helm releases",
    },
    marks:
      "Helm compares the release's name and namespace in the annotations that are shown as evidence, and nothing else; its `--force` option doesn't skip that.",
    "gone-sure": "Helm keeps a Secret for each revision of a release. There is none for release {have} in namespace {haveNamespace}.",
    "not-missing": "The objects do name a release; it is another one.",
    history: { text: "See what release {have} is", note: "{have} is a Helm release's name" },
    leave: { text: "Leave the CRDs to release {have}", note: "{have} is a Helm release's name" },
    "leave-changes":
      "Release {want} is deployed without CRDs and works with those that are there. They stay with release {have}, which has to bring their upgrades. Don't do this while {have} runs a cert-manager of its own: there may be only one.",
    ...forgetStrings,
    ...handoverStrings,
    static: "The CRDs carry a release's name, but cert-manager isn't installed with Helm here, and kubectl doesn't look at it.",
    separate: "The CRDs belong to a release of their own, which is right for an install that keeps them apart.",
    unknown: "The CRDs belong to a release of their own or to one that is gone. Helm's records, which would tell, couldn't be read.",
    none: "No CRD of cert-manager belongs to a Helm release, and no error of Helm was reported.",
  },
  run({ crds, deployments, reportedErrors, helmReleases, instanceCounts }) {
    const { stamped } = crdOwners({ crds });
    const found = installs({ deployments });
    const records = knownValue(helmReleases);
    const errors = readOwnershipErrors(reportedErrors).filter((error) => error.current);
    const about = (owner: Owner) => errors.find(({ object }) => owner.crds.some((crd) => crd.metadata.name === object.name));

    const ofCrds = stamped.flatMap((owner) => {
      const error = about(owner);
      const refused = owner.crds.find((crd) => crd.metadata.name === error?.object.name);
      const target = handoverTarget({ deployments }, error, refused);
      const runs = found.some((install) => isSame(owner, install));
      const state = runs ? "live" : releaseState(owner, records);
      if (isSame(owner, target) || (runs && !error)) return [];
      if (error || deployments.length === 0)
        return [problem(owner, target, state, { runs, refused: true, empty: deployments.length === 0 && areEmpty(owner.crds, knownValue(instanceCounts)) })];
      const stale = found.some((install) => install.method === "helm") && isGone(state);
      return stale ? [problem(owner, target, state, { runs, refused: false, empty: false })] : [];
    });
    const ofObjects = errors
      .filter(({ object }) => object.kind !== "CustomResourceDefinition")
      .map((error) => {
        const { object, current } = error;
        // Helm names only what differs: the rest is the same for both.
        const target = handoverTarget({ deployments }, error);
        const have = { release: current?.release ?? target.release, namespace: current?.namespace ?? target.namespace };
        const sameName = have.release === target.release;
        return {
          key: "object" as const,
          values: { object: refText(object), want: target.release, wantNamespace: target.namespace, have: have.release, haveNamespace: have.namespace },
          severity: "blocker" as const,
          subject: object,
          evidence: [
            {
              object,
              path: metadataPath("annotations", sameName ? "meta.helm.sh/release-namespace" : "meta.helm.sh/release-name"),
              value: sameName ? have.namespace : have.release,
            },
          ],
          fix: [history(have)],
        };
      });
    const problems = [...ofCrds, ...ofObjects];
    if (problems.length > 0) {
      const gone = stamped.find((owner) => releaseState(owner, records) === "gone");
      return {
        status: "fail",
        problems,
        because: [{ key: "marks" }, ...(gone ? [{ key: "gone-sure" as const, values: { have: gone.release, haveNamespace: gone.namespace } }] : [])],
        ruledOut: [{ check: "helm-ownership-missing", key: "not-missing" }],
      };
    }
    if (stamped.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const strangers = stamped.filter((owner) => !found.some((install) => isSame(owner, install)));
    if (deployments.length === 0 || strangers.length === 0) return { status: "pass" };
    if (!found.some((install) => install.method === "helm")) return { status: "not-applicable", because: { key: "static" } };
    return { status: "not-applicable", because: { key: records ? "separate" : "unknown" } };
  },
});

type Owner = CrdOwners["stamped"][number];

function isSame(a: ReleaseName, b: ReleaseName): boolean {
  return a.release === b.release && a.namespace === b.namespace;
}

const keys = { gone: "gone", uninstalled: "gone", live: "live", unknown: "unread" } as const satisfies Record<ReleaseState, string>;

function isGone(state: ReleaseState): boolean {
  return state === "gone" || state === "uninstalled";
}

/** Helm has refused the CRDs, or would at the first attempt; else it is a release that runs beside them and may meet them later. */
function problem(owner: Owner, target: HandoverTarget, state: ReleaseState, { runs, refused, empty }: Readonly<Record<"runs" | "refused" | "empty", boolean>>) {
  const [name = ""] = owner.crds.map((crd) => crd.metadata.name);
  const values = {
    name,
    crds: owner.crds.length,
    have: owner.release,
    haveNamespace: owner.namespace,
    want: target.release,
    wantNamespace: target.namespace,
  };
  return {
    key: refused ? keys[state] : ("stale" as const),
    values,
    severity: refused ? ("blocker" as const) : ("warning" as const),
    subject: { kind: "CustomResourceDefinition", name },
    evidence: owner.crds.flatMap(({ metadata }) => {
      const object = { kind: "CustomResourceDefinition", name: metadata.name };
      const key = owner.release === target.release ? "meta.helm.sh/release-namespace" : "meta.helm.sh/release-name";
      return [{ object, path: metadataPath("annotations", key), value: metadata.annotations?.[key] ?? null }];
    }),
    fix: isGone(state)
      ? [...(state === "uninstalled" ? [forgetRelease(owner)] : []), ...handoverSteps(target, owner.crds, empty)]
      : [history(owner), ...(runs ? [] : [leave(owner, target)])],
  };
}

function history({ release, namespace }: ReleaseName) {
  return {
    title: { key: "history" as const, values: { have: release } },
    for: "helm" as const,
    command: `helm history ${release} --namespace ${namespace}`,
    effect: "none" as const,
  };
}

/** Where the owner may be alive its CRDs aren't taken from it. */
function leave(owner: ReleaseName, target: HandoverTarget) {
  return {
    title: { key: "leave" as const, values: { have: owner.release } },
    for: "helm" as const,
    command: deployWithoutCrds(target),
    effect: "cluster" as const,
    changes: { key: "leave-changes" as const, values: { want: target.release, have: owner.release } },
  };
}
