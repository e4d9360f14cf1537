import { type RefusedPods, refusalOutcome, refusalStrings, retrySteps, retryStrings } from "../derive/refused-pods.ts";
import { reapply } from "../kube/commands.ts";
import { accountOf } from "../kube/install.ts";
import { defineCheck } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";

type Key = "restore" | "restore-changes" | "create" | "create-changes" | "create-undo" | keyof typeof retryStrings;

export default defineCheck({
  id: "serviceaccount-missing",
  area: "pods",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks"],
  causedBy: [],
  patterns: [
    { in: "anywhere", text: /pods "[^"]*cert-manager[^"]*" is forbidden: error looking up service account (?<account>\S+): serviceaccount "[^"]+" not found/ },
    {
      in: "anywhere",
      text: /MountVolume\.SetUp failed for volume "[^"]+" *: (?:.*serviceaccounts "[^"]*cert-manager[^"]*"|secret "[^"]*cert-manager[^"]*-token-\w+") not found/,
    },
  ],
  sources: ["catalogue 1.3 serviceaccount-missing", "https://github.com/cert-manager/cert-manager/issues/3338"],
  strings: {
    title: "Pods refused for want of their ServiceAccount",
    headline: "*A part of cert-manager can't start,* because the ServiceAccount that its pods run as doesn't exist.",
    "headline-served":
      "*cert-manager works for as long as its pods live,* because new ones can't start without the ServiceAccount that they run as, which doesn't exist.",
    why: "A pod is only made where its ServiceAccount is. It was deleted, or the values name one (`serviceAccount.create` false with a `serviceAccount.name`) that nobody made. Its rights hang on its name, so they are back as soon as it is.",
    refused: "No pod of the {component} can start: namespace {namespace} has no ServiceAccount {account}.",
    served: "New pods of the {component} can't start, while the old ones still run: namespace {namespace} has no ServiceAccount {account}.",
    restore: "Put the ServiceAccount back",
    "restore-changes":
      "What belongs to the manifest of the same version and is missing is made again. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    create: "Or make one of that name, where the values say that somebody else provides it",
    "create-changes": "Namespace {namespace} gets the ServiceAccount {account}, without annotations such as those that tie it to a cloud's identity.",
    "create-undo": "`kubectl -n {namespace} delete serviceaccount {account}`",
    ...retryStrings,
    ...refusalStrings,
  },
  run({ deployments, webhooks }) {
    return refusalOutcome({ deployments, webhooks }, "service-account", (one, refused) => {
      const account = accountOf(one.deployment);
      return {
        key: one.served ? "served" : "refused",
        values: { component: one.component, namespace: one.namespace, account },
        // The account and the Deployment may be made in either order.
        transient: true,
        fix: fixOf(one, refused),
      };
    });
  },
});

function fixOf({ install, namespace }: RefusedPods, refused: readonly RefusedPods[]): readonly FixStep<Key>[] {
  const accounts = [...new Set(refused.filter((one) => one.namespace === namespace).map(({ deployment }) => accountOf(deployment)))];
  const values = { namespace, account: accounts.join(", ") };
  const create: FixStep<Key> = {
    title: { key: "create" },
    for: "kubectl",
    command: accounts.map((account) => `kubectl -n ${namespace} create serviceaccount ${account}`).join("\n"),
    effect: "cluster",
    changes: { key: "create-changes", values },
    undo: { key: "create-undo", values: { ...values, account: accounts.join(" ") } },
    instead: true,
  };
  const restore = install ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }) : [];
  return [...restore, ...retrySteps(namespace, refused), create];
}
