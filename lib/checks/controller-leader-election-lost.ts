import { componentPods } from "../derive/component-pods.ts";
import { type Elector, electors, isDoubtful, leaseEvidence } from "../derive/electors.ts";
import { installs } from "../derive/installs.ts";
import { moveLeaderElection } from "../derive/move-leader-election.ts";
import { refusals } from "../derive/refusals.ts";
import { setValues } from "../kube/chart-values.ts";
import { reapply, restart } from "../kube/commands.ts";
import { accountOf, leaderElectionNamespace } from "../kube/install.ts";
import { leaseNames } from "../kube/lease.ts";
import { leaseRights } from "../kube/lease-rights.ts";
import { logTime } from "../kube/log-time.ts";
import { defineCheck } from "../model/check.ts";
import { type Fact, type FactValues, knownValue } from "../model/facts.ts";

const refusal = /leases\.coordination\.k8s\.io(?: \\?"[^"]*")? is forbidden/;
const lost = /leader election lost|[Ff]ailed to (?:update|renew) (?:lock|lease).*(?:deadline exceeded|timed out|timeout)/;
/** How long a lost lease stays worth telling. */
const recently = 60 * 60 * 1000;

type Own = Pick<Elector, "install" | "deployment">;
type Roles = Fact<FactValues["leaseRoles"]>;

export default defineCheck({
  id: "controller-leader-election-lost",
  area: "controller",
  severity: "blocker",
  needs: ["deployments", "pods", "leases"],
  uses: ["leaseRoles", "logs"],
  causedBy: ["cainjector-leader-election-forbidden", "multiple-installs", "pod-apiserver-egress-blocked", "pod-apiserver-ca-mismatch", "clock-skew"],
  patterns: [
    { in: "anywhere", text: /cert-manager[^\n]*leader election lost|leader election lost[^\n]*cert-manager/ },
    { in: "anywhere", text: /[Ff]ailed to (?:update|renew|release) (?:lock|lease)[^\n]*cert-manager-controller/ },
  ],
  sources: ["catalogue 1.10 controller-leader-election-lost", "https://cert-manager.io/docs/installation/best-practice/"],
  strings: {
    title: "Controller without its leader lease",
    headline: "*No certificate is issued or renewed,* because no pod of the controller has its lease, and only the one that has it works.",
    "headline-lost": {
      text: "*Certificates are issued and renewed late,* because the controller loses its lease now and then and has to start again.",
      note: "Said instead of the headline where the controller has its lease again.",
    },
    why: "Of all pods of the controller only the holder of the lease works. It renews it every few seconds and ends when it can't, so that another one can take over. Its pod is Ready all the same while it waits.",
    ignore: "After a holder was killed, the next one waits up to a minute until the lease has run out.",
    forbidden: {
      text: "{name} in namespace {namespace} isn't allowed to take its lease in {election}.",
      note: "{election} is a namespace, usually kube-system",
    },
    idle: {
      text: "A pod of {name} in namespace {namespace} is Ready, but nobody renews the lease in {election}: its process waits for something, or has stopped working.",
      note: "{election} is a namespace, usually kube-system",
    },
    lost: "{name} in namespace {namespace} couldn't renew its lease in time at {time}, and a controller that can't ends and starts again.",
    ready: "A pod of the controller is Ready, so neither its image nor a crash keeps it from leading.",
    rights: "No Role that is bound to its ServiceAccount lets it use the lease.",
    slow: "Its own log says that the renewal failed: the API server answered too late or not at all, or the clock of its node jumped.",
    "not-stopped": "Its pod is Ready.",
    move: "Keep leader election in the install's own namespace",
    "move-changes":
      "The arguments of controller and cainjector change, and their Roles and RoleBindings for leases are made in namespace {namespace}. The pods restart once. No data is touched.",
    "move-undo": "Set the leader election namespace back to {election} the same way.",
    restore: "Put the Role and RoleBinding back",
    "restore-changes":
      "The manifest of the same version is applied again, with the Roles and RoleBindings that let controller and cainjector use their leases. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    again: "Start the controller again",
    "again-changes": "The pods of the controller are replaced. Certificates that are valid aren't issued again.",
    latency: "See how long the API server takes to answer",
    patient: "Give the controller more time to renew its lease",
    "patient-changes": "The controller and cainjector restart once. After a crash of a node, the next leader takes over up to a minute later than now.",
    "patient-undo": "Set the values that were there before.",
    verify: "See who has the lease, and whether it is renewed",
    none: "No controller with a Ready pod is here.",
  },
  run({ deployments, pods, leases, leaseRoles, logs }, now) {
    const seen = { deployments, pods, leases };
    const candidates = electors("controller", seen, now);
    // A controller that can't renew its lease ends.
    const restarted = installs(seen).flatMap((install) => {
      const deployment = install.components.controller;
      const again = componentPods(seen, install, "controller").some((pod) => pod.status?.containerStatuses?.some(({ restartCount = 0 }) => restartCount > 0));
      return deployment && again ? [{ install, deployment }] : [];
    });
    if (candidates.length === 0 && restarted.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const idle = candidates
      .filter(({ held }) => !held)
      .map((one) => ({ ...one, ...refused(one, leaseRoles, refusals(one.install, "controller", { pods: { state: "known", value: pods }, logs }, refusal)) }));
    const forbidden = idle.filter(({ line, rights }) => line !== undefined || rights === "missing");
    const stuck = idle.filter((one) => !forbidden.includes(one) && one.settled.length > 0 && !isDoubtful(seen, now));
    const hasLost = restarted.flatMap((one) => {
      const told = refusals(one.install, "controller", { pods: { state: "known", value: pods }, logs }, lost).filter(({ value }) => isRecent(value, now));
      return told.length > 0 ? [{ ...one, told }] : [];
    });
    const problems = [
      ...forbidden.map((one) => ({
        ...about(one, "forbidden"),
        severity: "blocker" as const,
        transient: one.line === undefined,
        evidence: [
          ...(one.line ? [one.line] : []),
          ...leaseEvidence(one.lease),
          ...(one.rights === "missing"
            ? [
                {
                  object: { kind: "Role", namespace: one.lease.ref.namespace, name: `${one.deployment.metadata.name}:leaderelection` },
                  path: "metadata",
                  value: null,
                },
              ]
            : []),
        ],
        fix: [...grant(one), verify(one)],
      })),
      ...stuck.map((one) => ({
        ...about(one, "idle"),
        component: "controller" as const,
        severity: "blocker" as const,
        evidence: leaseEvidence(one.lease),
        fix: [begin(one), latency, verify(one)],
      })),
      ...hasLost.map(({ told, ...one }) => ({
        ...about(one, "lost", logTime(told[0]?.value ?? "", now)?.toISOString()),
        component: "controller" as const,
        severity: candidates.some(({ install, held }) => held && install === one.install) ? ("degraded" as const) : ("blocker" as const),
        evidence: told,
        fix: [latency, ...patience(one), verify(one)],
      })),
    ];
    if (problems.length === 0) {
      if (idle.some(({ rights }) => rights === "unread")) return { status: "needs", fact: "leaseRoles" };
      if (restarted.length > 0 && logs.state !== "known") return { status: "needs", fact: "logs" };
      return { status: "pass" };
    }
    return {
      status: "fail",
      problems,
      ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-lost" } as const }),
      because: [
        ...(idle.length > 0 ? [{ key: "ready" as const }] : []),
        ...(forbidden.some(({ rights }) => rights === "missing") ? [{ key: "rights" as const }] : []),
        ...(hasLost.length > 0 ? [{ key: "slow" as const }] : []),
      ],
      ruledOut: [{ check: "controller-not-running", key: "not-stopped" }],
    };
  },
});

/** Why it may not have its lease: what the API server said to it, and what its Roles say. */
function refused({ install, deployment, lease }: Elector, leaseRoles: Roles, [line]: ReturnType<typeof refusals>) {
  const { namespace = "", name } = lease.ref;
  const account = { namespace: install.namespace, name: accountOf(deployment) };
  const rights = knownValue(leaseRoles)
    ? leaseRights(knownValue(leaseRoles) ?? { roles: [], bindings: [] }, account, { namespace, name, exists: lease.object !== null })
    : "unread";
  // OLM gives rights by ClusterRoles, which aren't among these.
  return { line, rights: install.method === "olm" && rights === "missing" ? ("unknown" as const) : rights };
}

function isRecent(line: string | null, now: Date): boolean {
  const written = logTime(line ?? "", now);
  return written !== null && now.getTime() - written.getTime() < recently;
}

function about<K extends string>({ install, deployment }: Own, key: K, time = "") {
  const { namespace } = install;
  const { name } = deployment.metadata;
  return {
    key,
    values: { name, namespace, election: leaderElectionNamespace(install), time },
    subject: { kind: "Deployment", namespace, name },
    install: namespace,
  };
}

/** Where it elects at home only its Role can be missing; elsewhere somebody may have decided that it gets none. */
function grant({ install }: Own) {
  const election = leaderElectionNamespace(install);
  const restored = reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } });
  if (election === install.namespace || install.method === "olm") return restored;
  return setValues(
    install,
    {
      title: { key: "move" as const },
      changes: { key: "move-changes" as const, values: { namespace: install.namespace } },
      undo: { key: "move-undo" as const, values: { election } },
    },
    { global: { leaderElection: { namespace: install.namespace } } },
    moveLeaderElection(install),
  );
}

function begin({ install, deployment }: Own) {
  const command = restart(install.namespace, deployment.metadata.name);
  return { title: { key: "again" as const }, for: "kubectl" as const, command, effect: "cluster" as const, changes: { key: "again-changes" as const } };
}

const latency = { title: { key: "latency" as const }, for: "kubectl" as const, command: "time kubectl get --raw '/readyz?verbose'", effect: "none" as const };

function patience({ install }: Own) {
  const step = { title: { key: "patient" as const }, changes: { key: "patient-changes" as const }, undo: { key: "patient-undo" as const } };
  return setValues(install, step, { global: { leaderElection: { leaseDuration: "120s", renewDeadline: "80s", retryPeriod: "30s" } } });
}

function verify({ install }: Own) {
  const command = `kubectl -n ${leaderElectionNamespace(install)} get lease ${leaseNames.controller} -o custom-columns='HOLDER:.spec.holderIdentity,RENEWED:.spec.renewTime'`;
  return { title: { key: "verify" as const }, for: "kubectl" as const, command, effect: "none" as const };
}
