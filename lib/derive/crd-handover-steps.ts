import { deleteCrds, deployBeside, type HandoverTarget, listInstances, markAndDeploy, takeOwnership, valuesWithoutCrds } from "../kube/crd-handover.ts";
import { gitOpsOwnerOf } from "../kube/gitops.ts";
import { isAtLeast } from "../kube/version.ts";
import type { FixStep } from "../model/fix.ts";
import type { KubeObject } from "../model/kubernetes.ts";

/** What the steps of a handover say; for the `strings` of checks that offer one. */
export const handoverStrings = {
  adopt: { text: "Hand the CRDs to release {release}", note: "{release} is a Helm release's name" },
  "adopt-changes":
    "The CRDs get Helm's label and the annotations of release {release} in namespace {namespace}, which is then installed or upgraded with them. No object in them is deleted. Helm takes over by itself from version 3.17 on; before it, label and annotations are set with kubectl. Its `--force` option doesn't help here and replaces objects.",
  "adopt-changes-unkept":
    "The CRDs get Helm's label and the annotations of release {release} in namespace {namespace}, which is then upgraded with them. No object in them is deleted now. But before version 1.15 the chart doesn't keep its CRDs: uninstalling the release would then delete every Certificate and Issuer. Upgrade to 1.15 or later before that.",
  "adopt-undo": "Remove the label `app.kubernetes.io/managed-by` and both `meta.helm.sh` annotations from the CRDs, and deploy the release without its CRDs.",
  beside: "Or keep the CRDs outside Helm",
  "beside-changes":
    "The CRDs are brought to the version that is deployed, and release {release} is deployed without them. No object in them is touched. From then on the CRDs have to be applied by hand at each upgrade.",
  gitops: { text: "Leave the CRDs to {tool}", note: "{tool} is Argo CD or Flux" },
  "gitops-changes":
    "{tool} keeps these CRDs as its repository has them, and two owners would undo each other's changes. With this value the chart leaves the CRDs alone.",
  look: "See what the CRDs hold",
  delete: "Or delete the CRDs, which hold nothing",
  "delete-changes":
    "The CRDs are deleted, and with them whatever is created in them before the command runs. When they were counted they held no object. Look again first.",
} as const;

export type HandoverText = keyof typeof handoverStrings;

/**
 * The ways on from CRDs that belong to no release: adopt them, keep them outside Helm, or delete them where it is known
 * that they hold nothing. What GitOps applies stays with it.
 */
export function handoverSteps(target: HandoverTarget, crds: readonly KubeObject[], areEmpty: boolean): readonly FixStep<HandoverText>[] {
  const names = crds.map((crd) => crd.metadata.name);
  const gitOps = crds.map(gitOpsOwnerOf).find(Boolean);
  if (gitOps) {
    const values = { tool: gitOps.tool };
    return [
      {
        title: { key: "gitops", values },
        for: "values",
        command: valuesWithoutCrds(target.version),
        effect: "cluster",
        changes: { key: "gitops-changes", values },
      },
    ];
  }
  const values = { release: target.release, namespace: target.namespace };
  const keeps = !target.version || isAtLeast(target.version, "v1.15.0");
  const adopt = {
    title: { key: "adopt", values },
    effect: "cluster",
    changes: { key: keeps ? "adopt-changes" : "adopt-changes-unkept", values },
    undo: { key: "adopt-undo" },
  } as const;
  return [
    { ...adopt, for: "helm", command: takeOwnership(target) },
    { ...adopt, for: "kubectl", command: markAndDeploy(target, names) },
    { title: { key: "beside" }, for: "helm", command: deployBeside(target), effect: "cluster", changes: { key: "beside-changes", values }, instead: true },
    ...(areEmpty
      ? ([
          { title: { key: "look" }, for: "kubectl", command: listInstances(names), effect: "none" },
          { title: { key: "delete" }, for: "kubectl", command: deleteCrds(names), effect: "deletes-data", changes: { key: "delete-changes" }, instead: true },
        ] as const)
      : []),
  ];
}
