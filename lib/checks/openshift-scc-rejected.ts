import { type RefusedPods, refusalOutcome, refusalStrings, retrySteps, retryStrings } from "../derive/refused-pods.ts";
import { applyObject } from "../kube/commands.ts";
import { accountOf } from "../kube/install.ts";
import { isAtLeast } from "../kube/version.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";

const seccomp = /seccomp may not be set|seccomp: (?:Forbidden|Invalid value)/;
const hostNetwork = /[Hh]ost network is not allowed to be used|hostNetwork: Invalid value/;
/** Kubernetes under OpenShift 4.11, the first that has constraints which allow a seccomp profile. */
const withV2 = "v1.24.0";
const own = "cert-manager-runtime-default";

type Key = "grant" | "grant-changes" | "grant-undo" | "make" | "make-changes" | "make-undo" | "who" | keyof typeof retryStrings;

export default defineCheck({
  id: "openshift-scc-rejected",
  area: "platform",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["webhooks", "version"],
  causedBy: [],
  patterns: [
    {
      in: "anywhere",
      text: /pods "[^"]*cert-manager[^"]*" is forbidden: unable to validate against any security context constraint(?![\s\S]*must be in the ranges)|unable to validate against any security context constraint: [\s\S]*seccomp may not be set/,
    },
  ],
  sources: [
    "catalogue 1.3 openshift-scc-rejected",
    "catalogue 0.7.12",
    "https://cert-manager.io/docs/releases/release-notes/release-notes-1.10/",
    "https://github.com/cert-manager/cert-manager/issues/5611",
  ],
  strings: {
    title: "Pods that no security context constraint allows",
    headline: "*A part of cert-manager can't start,* because none of OpenShift's security context constraints that it may use allows its pods.",
    "headline-served":
      "*A change to cert-manager doesn't take effect,* because none of OpenShift's security context constraints allows the new pods; the old ones still work.",
    why: "OpenShift lets a pod in only if a constraint that its ServiceAccount may use allows all that it asks for. The chart asks for the seccomp profile `RuntimeDefault` since version 1.10. The constraint `restricted` forbids that, also on clusters that were upgraded from before 4.11; `restricted-v2`, new in 4.11, allows it.",
    refused: "No pod of the {component} can start: no constraint that ServiceAccount {account} may use allows its pods.",
    served: "New pods of the {component} can't start, while the old ones still work: no constraint that ServiceAccount {account} may use allows them.",
    "refused-seccomp": "No pod of the {component} can start: no constraint that ServiceAccount {account} may use allows the seccomp profile `RuntimeDefault`.",
    "served-seccomp":
      "New pods of the {component} can't start, while the old ones still work: no constraint that ServiceAccount {account} may use allows the seccomp profile `RuntimeDefault`.",
    "refused-host": "No pod of the {component} can start: no constraint that ServiceAccount {account} may use allows `hostNetwork`.",
    "served-host":
      "New pods of the {component} can't start, while the old ones still work: no constraint that ServiceAccount {account} may use allows `hostNetwork`.",
    grant: "Let the ServiceAccount use the constraint that fits",
    "grant-changes": "The ServiceAccounts of the refused pods in namespace {namespace} may use the constraint `{constraint}`. Nobody else's rights change.",
    "grant-undo": "`kubectl -n {namespace} delete rolebinding` with the names in the command.",
    make: "Make a constraint that allows the profile",
    "make-changes":
      "The cluster gets a constraint like `restricted` that also allows the seccomp profile `RuntimeDefault`, for the ServiceAccounts of cert-manager in namespace {namespace} only. Dropping the profile by `securityContext: null` instead would drop `runAsNonRoot` with it.",
    "make-undo": "`kubectl delete securitycontextconstraints cert-manager-runtime-default`",
    who: "See the constraints, and what each of them allows",
    ...retryStrings,
    ...refusalStrings,
  },
  run({ deployments, webhooks, version }) {
    const gitVersion = knownValue(version)?.gitVersion ?? "";
    return refusalOutcome({ deployments, webhooks }, "security-context-constraint", (one, refused) => {
      const state = one.served ? "served" : "refused";
      const onHost = hostNetwork.test(one.message) && one.deployment.spec.template.spec.hostNetwork === true;
      const about = onHost ? "host" : seccomp.test(one.message) ? "seccomp" : undefined;
      const alike = refused.filter(({ namespace }) => namespace === one.namespace);
      return {
        key: about ? (`${state}-${about}` as const) : state,
        values: { component: one.component, account: accountOf(one.deployment) },
        fix: [...fixOf(one, alike, about, gitVersion), who],
      };
    });
  },
});

function fixOf({ namespace }: RefusedPods, refused: readonly RefusedPods[], about: "host" | "seccomp" | undefined, version: string): readonly FixStep<Key>[] {
  const accounts = [...new Set(refused.map(({ deployment }) => accountOf(deployment)))];
  const modern = isAtLeast(version, withV2);
  if (!about) return [];
  if (about === "seccomp" && !modern) return [make(namespace, accounts), ...retrySteps(namespace, refused)];
  const constraint = about === "host" ? (modern ? "hostnetwork-v2" : "hostnetwork") : "restricted-v2";
  const command = accounts
    .map(
      (account) =>
        `kubectl -n ${namespace} create rolebinding ${account}-${constraint} --clusterrole=system:openshift:scc:${constraint} --serviceaccount=${namespace}:${account}`,
    )
    .join("\n");
  return [
    {
      title: { key: "grant" },
      for: "kubectl",
      command,
      effect: "cluster",
      changes: { key: "grant-changes", values: { namespace, constraint } },
      undo: { key: "grant-undo", values: { namespace } },
    },
    ...retrySteps(namespace, refused),
  ];
}

function make(namespace: string, accounts: readonly string[]): FixStep<Key> {
  const constraint = {
    apiVersion: "security.openshift.io/v1",
    kind: "SecurityContextConstraints",
    metadata: { name: own },
    allowHostDirVolumePlugin: false,
    allowHostIPC: false,
    allowHostNetwork: false,
    allowHostPID: false,
    allowHostPorts: false,
    allowPrivilegeEscalation: false,
    allowPrivilegedContainer: false,
    readOnlyRootFilesystem: false,
    requiredDropCapabilities: ["ALL"],
    runAsUser: { type: "MustRunAsRange" },
    seLinuxContext: { type: "MustRunAs" },
    fsGroup: { type: "MustRunAs" },
    supplementalGroups: { type: "RunAsAny" },
    seccompProfiles: ["runtime/default"],
    volumes: ["configMap", "downwardAPI", "emptyDir", "projected", "secret"],
    users: accounts.map((account) => `system:serviceaccount:${namespace}:${account}`),
  };
  return {
    title: { key: "make" },
    for: "kubectl",
    command: applyObject(constraint),
    effect: "cluster",
    changes: { key: "make-changes", values: { namespace } },
    undo: { key: "make-undo" },
  };
}

const who: FixStep<Key> = {
  title: { key: "who" },
  for: "kubectl",
  command:
    "kubectl get securitycontextconstraints -o custom-columns='NAME:.metadata.name,SECCOMP:.seccompProfiles,HOSTNETWORK:.allowHostNetwork,USERS:.users,GROUPS:.groups'",
  effect: "none",
};
