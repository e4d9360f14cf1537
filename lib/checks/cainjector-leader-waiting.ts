import { type Elector, electors, isDoubtful, leaseEvidence } from "../derive/electors.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { restart } from "../kube/commands.ts";
import { componentOf } from "../kube/install.ts";
import { isHolder, leaseNames } from "../kube/lease.ts";
import { defineCheck, type Problem, type Windows } from "../model/check.ts";
import type { Pod } from "../model/kubernetes.ts";

type Key = "soon" | "elsewhere" | "stuck" | "look" | "again" | "again-changes" | "verify";

export default defineCheck({
  id: "cainjector-leader-waiting",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments", "pods", "leases"],
  uses: ["webhooks", "caSecrets"],
  causedBy: [
    "multiple-installs",
    "cainjector-leader-election-forbidden",
    "cainjector-waiting-for-crds",
    "cainjector-rbac",
    "pod-apiserver-egress-blocked",
    "pod-apiserver-ca-mismatch",
  ],
  sources: ["catalogue 1.9 cainjector-leader-waiting", "https://cert-manager.io/docs/concepts/ca-injector/"],
  strings: {
    title: "cainjector waiting for its lease",
    headline: "*The webhook's CA isn't brought to the API server,* because nobody renews cainjector's lease, and the pod that is ready doesn't take it.",
    "headline-soon": {
      text: "*The webhook's CA is brought to the API server within a minute,* when the lease of the cainjector that was there before has run out.",
      note: "Said instead of the headline where waiting helps.",
    },
    "headline-elsewhere": {
      text: "*This cainjector does nothing,* because one of another install has the lease and does the work for the whole cluster.",
      note: "Said instead of the headline where another install leads.",
    },
    why: "Of all pods of cainjector only the holder of the lease works. One that ends in order gives it up; after one that was killed the next waits until it has run out, which takes up to 60 seconds. The lease has one name for all installs that elect in the same namespace.",
    ignore: "Waiting for up to a minute after a node or a pod was lost is normal.",
    soon: {
      text: "{name} in namespace {namespace} waits for the lease of {holder}, a pod that is gone and renewed it at {time}.",
      note: "{holder} is the name of a pod, with something behind it",
    },
    elsewhere: {
      text: "{name} in namespace {namespace} waits, because {holder} in namespace {other} has the lease.",
      note: "{holder} is the name of a pod",
    },
    stuck:
      "A pod of {name} in namespace {namespace} has been ready for minutes, and nobody renews the lease in {election}: it waits for something else, or has stopped working.",
    "no-pod": "No pod of cainjector in this cluster has the name in the lease.",
    free: "A lease that isn't renewed is free to take, and a cainjector that is ready and allowed to takes it within seconds.",
    "not-stopped": "Its pod is Ready.",
    look: "See what it says that it waits for",
    again: "Start cainjector again",
    "again-changes": "The pods of cainjector are replaced. Nothing else changes; certificates are issued and renewed meanwhile.",
    verify: "See who has the lease, and whether it is renewed",
    none: "No cainjector with a Ready pod that elects a leader is here.",
  },
  run({ deployments, pods, leases, webhooks, caSecrets }, now, windows) {
    const seen = { deployments, pods, leases };
    const candidates = electors("cainjector", seen, now);
    if (candidates.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = candidates.flatMap((one): readonly Problem<Key>[] => {
      const { install, deployment, lease, settled, holder, held } = one;
      if (holder) return [];
      const { namespace } = install;
      const { name } = deployment.metadata;
      const about = { subject: { kind: "Deployment", namespace, name }, component: "cainjector" as const, install: namespace, evidence: leaseEvidence(lease) };
      const other = pods.find((pod) => componentOf(pod, pod.spec.containers) === "cainjector" && isHolder(lease.object, pod));
      const identity = lease.object?.spec?.holderIdentity ?? "";
      if (held && other && other.metadata.namespace !== namespace) {
        return [
          {
            ...about,
            key: "elsewhere",
            values: { name, namespace, holder: other.metadata.name, other: other.metadata.namespace ?? "" },
            severity: "info",
            fix: [verify(one)],
          },
        ];
      }
      if (!other && isRunningOut(one, pods, now, windows)) {
        return [
          {
            ...about,
            key: "soon",
            values: { name, namespace, holder: identity, time: lease.object?.spec?.renewTime ?? "" },
            severity: "info",
            transient: true,
            fix: [verify(one)],
          },
        ];
      }
      if (held || settled.length === 0 || isDoubtful(seen, now)) return [];
      return [
        {
          ...about,
          key: "stuck",
          values: { name, namespace, election: lease.ref.namespace ?? "" },
          severity: severityWithoutCainjector(install, { deployments, webhooks, caSecrets }),
          fix: [look(one), again(one), verify(one)],
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    const keys = problems.map(({ key }) => key);
    return {
      status: "fail",
      problems,
      ...(keys.includes("stuck") ? {} : { headline: { key: keys.includes("soon") ? ("headline-soon" as const) : ("headline-elsewhere" as const) } }),
      because: [...(keys.includes("soon") ? [{ key: "no-pod" as const }] : []), ...(keys.includes("stuck") ? [{ key: "free" as const }] : [])],
      ruledOut: [{ check: "cainjector-not-running", key: "not-stopped" }],
    };
  },
});

/** Whether a pod of this install, which is gone, renewed the lease less than a lease's time ago. Pods on the host's network sign with the name of the node. */
function isRunningOut({ install, deployment, lease: { object } }: Elector, pods: readonly Pod[], now: Date, windows: Windows): boolean {
  const { holderIdentity = "", renewTime = "" } = object?.spec ?? {};
  const isOfThis = holderIdentity.startsWith(`${deployment.metadata.name}-`) && !deployment.spec.template.spec.hostNetwork;
  const isThere = pods.some((pod) => pod.metadata.namespace === install.namespace && holderIdentity.startsWith(`${pod.metadata.name}_`));
  return isOfThis && !isThere && now.getTime() - Date.parse(renewTime) < windows.lease;
}

function look({ install, deployment }: Elector) {
  const command = `kubectl -n ${install.namespace} logs deployment/${deployment.metadata.name} --tail=50`;
  return { title: { key: "look" as const }, for: "kubectl" as const, command, effect: "none" as const };
}

function again({ install, deployment }: Elector) {
  const command = restart(install.namespace, deployment.metadata.name);
  return { title: { key: "again" as const }, for: "kubectl" as const, command, effect: "cluster" as const, changes: { key: "again-changes" as const } };
}

function verify({ lease: { ref } }: Elector) {
  const command = `kubectl -n ${ref.namespace} get lease ${leaseNames.cainjector} -o custom-columns='HOLDER:.spec.holderIdentity,RENEWED:.spec.renewTime'`;
  return { title: { key: "verify" as const }, for: "kubectl" as const, command, effect: "none" as const };
}
