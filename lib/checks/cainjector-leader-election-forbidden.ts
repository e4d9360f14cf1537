import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { electionFlag, grantLease, moveLeaderElection } from "../derive/move-leader-election.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { acceptIssuer } from "../kube/accept-issuer.ts";
import { setValues } from "../kube/chart-values.ts";
import { reapply } from "../kube/commands.ts";
import { accountOf, type Install, leaderElectionNamespace } from "../kube/install.ts";
import { isHeld, isHolder, leaseNames } from "../kube/lease.ts";
import { leaseRights } from "../kube/lease-rights.ts";
import { isPodReady } from "../kube/readiness.ts";
import type { Evidence } from "../model/check.ts";
import { defineCheck } from "../model/check.ts";
import { type ContainerLog, knownValue, type Lookup } from "../model/facts.ts";
import type { Deployment, Lease, Pod } from "../model/kubernetes.ts";
import type { Text } from "../model/text.ts";

const refusal = /leases\.coordination\.k8s\.io(?: \\?"[^"]*")? is forbidden/;
const acquired = /successfully acquired lease/i;
// GKE Autopilot and its Warden; no other platform words it so (catalogue, cainjector-leader-election-forbidden).
const managed = /GKEAutopilot authz|GKE Warden authz|managed-namespaces-limitation/;

export default defineCheck({
  id: "cainjector-leader-election-forbidden",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments", "pods", "leases"],
  uses: ["leaseRoles", "logs", "webhooks", "caSecrets"],
  causedBy: [],
  patterns: [
    {
      in: "anywhere",
      text: /leases\.coordination\.k8s\.io(?: \\?"[^"]*")? is forbidden: User \\?"system:serviceaccount:(?=[^"]*(?:cert-manager|cainjector))(?<namespace>[^":]+):(?<account>[^"\\]+)\\?" cannot \w+ resource \\?"leases\\?"/,
    },
    { in: "anywhere", text: /error retrieving resource lock \S*cert-manager\S*: [\s\S]*forbidden/ },
    {
      in: "anywhere",
      text: /roles?(?:bindings)?\.rbac\.authorization\.k8s\.io[\s\S]* is forbidden[\s\S]*in the namespace \\?"kube-system\\?": GKE ?(?:Autopilot|Warden) authz/,
    },
  ],
  sources: [
    "catalogue 1.9 cainjector-leader-election-forbidden",
    "https://github.com/cert-manager/cert-manager/issues/3717",
    "https://github.com/cert-manager/cert-manager/issues/5061",
    "https://github.com/cert-manager/cert-manager/issues/5625",
    "https://cert-manager.io/docs/installation/compatibility/",
  ],
  strings: {
    title: "cainjector not allowed to take its lease",
    headline: "*No Certificate or Issuer can be created or changed,* because cainjector isn't allowed to take its lease and fill in the webhook's CA bundle.",
    "headline-degraded": {
      text: "*The webhook's CA isn't brought to the API server,* because cainjector isn't allowed to take its lease.",
      note: "Said instead of the headline while the CA bundles that are there still hold.",
    },
    why: "cainjector has no readiness probe, so it looks healthy, but it starts to work only with its lease in hand. Without the CA bundle the API server refuses every Certificate and Issuer; a bundle that is there goes on working until the CA is renewed. The controller waits for a lease in the same namespace, so it is usually idle as well.",
    ignore: "In the first minute of an install the lease may not be taken yet.",
    managed: {
      text: "{name} in namespace {namespace} may not use a lease in {election}: GKE Autopilot manages that namespace and refuses writes to it.",
      note: "{election} is a namespace, usually kube-system",
    },
    forbidden: {
      text: "{name} in namespace {namespace} may not use its lease in {election}: the API server refuses it.",
      note: "{election} is a namespace, usually kube-system",
    },
    unbound: {
      text: "{name} in namespace {namespace} has no lease in {election}, and no Role bound to its ServiceAccount {account} lets it take one.",
      note: "{election} is a namespace, usually kube-system",
    },
    ready: "A pod of cainjector is Ready, so neither its image nor a crash keeps it from leading.",
    free: "Nobody holds the lease {lease}: another holder would show in it.",
    stale: "The lease {lease} is in the name of {holder}, which isn't the pod that was refused.",
    "not-stopped": "Its pod is Ready.",
    move: "Keep leader election in the install's own namespace",
    "move-changes":
      "The arguments of controller and cainjector change, and their Roles and RoleBindings for leases are made in namespace {namespace}. The pods restart once. No data is touched.",
    "move-undo": "Set the leader election namespace back to {election} the same way.",
    restore: "Put the Role and RoleBinding back",
    "restore-changes":
      "The manifest of the same version is applied again, with the Roles and RoleBindings that let controller and cainjector use their leases. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay.",
    grant: "Let the ServiceAccount use its lease",
    "grant-changes": "Two Roles and RoleBindings are made in namespace {election}, which let {account} create and renew its lease there. Nothing else changes.",
    "grant-undo": "Delete the Roles and RoleBindings again.",
    wait: "Wait for cainjector to lead and fill in the CA bundle",
    verify: "See whether the API server accepts an Issuer",
    none: "No cainjector with a Ready pod is here.",
    "by-cluster-role":
      "cainjector holds no lease. Whether it may take one is decided by ClusterRoles, which aren't looked at, and its log doesn't say that it was refused.",
  },
  run({ deployments, pods, leases, leaseRoles, logs, webhooks, caSecrets }, now) {
    const candidates = installs({ deployments }).flatMap((install) => {
      const { cainjector } = install.components;
      const ready = componentPods({ pods }, install, "cainjector").filter(isPodReady);
      const namespace = leaderElectionNamespace(install);
      const lease = leases.find(({ ref }) => ref.namespace === namespace && ref.name === leaseNames.cainjector);
      return cainjector && ready.length > 0 && lease ? [{ install, cainjector, ready, namespace, lease }] : [];
    });
    if (candidates.length === 0) return { status: "not-applicable", because: { key: "none" } };

    const idle = candidates
      .filter(({ lease, ready }) => !isHeld(lease.object, now) || !ready.some((pod) => isHolder(lease.object, pod)))
      .map((one) => {
        const account = { namespace: one.install.namespace, name: accountOf(one.cainjector) };
        const rights =
          leaseRoles.state !== "known"
            ? "unread"
            : leaseRights(leaseRoles.value, account, { namespace: one.namespace, name: leaseNames.cainjector, exists: one.lease.object !== null });
        return {
          ...one,
          account,
          // Whoever holds it may have ended without giving it up, or be another install's: then only its own words convict cainjector.
          free: !isHeld(one.lease.object, now),
          line: refusalIn(knownValue(logs) ?? [], one.ready),
          rights: one.install.method === "olm" && rights === "missing" ? "unknown" : rights,
        };
      });
    const guilty = idle.filter(({ line, free, rights }) => line || (free && rights === "missing"));
    const problems = guilty.map(({ install, cainjector, namespace, lease, account, line, rights }) => {
      const subject = { kind: "Deployment", namespace: install.namespace, name: cainjector.metadata.name };
      return {
        key: !line ? ("unbound" as const) : managed.test(line.value ?? "") ? ("managed" as const) : ("forbidden" as const),
        values: { name: subject.name, namespace: install.namespace, election: namespace, account: account.name },
        severity: severityWithoutCainjector(install, { deployments, webhooks, caSecrets }),
        subject,
        component: "cainjector" as const,
        install: install.namespace,
        transient: !line,
        evidence: [
          ...(line ? [line] : []),
          leaseEvidence(lease),
          flagEvidence(cainjector),
          ...(rights === "missing"
            ? [{ object: { kind: "Role", namespace, name: `${cainjector.metadata.name}:leaderelection` }, path: "metadata", value: null }]
            : []),
        ],
        fix: fix(install, cainjector, namespace, managed.test(line?.value ?? "")),
      };
    });
    if (problems.length > 0) {
      return {
        status: "fail",
        problems,
        ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-degraded" } as const }),
        because: [{ key: "ready" }, ...guilty.slice(0, 1).map(({ lease }) => holding(lease.object, now))],
        ruledOut: [{ check: "cainjector-not-running", key: "not-stopped" }],
      };
    }
    // Whether the one in whose name the lease is has ended, only the log can tell; without a line that proves it, only the Roles.
    if (idle.some(({ free }) => !free) && logs.state !== "known") return { status: "needs", fact: "logs" };
    const unclear = idle.filter(({ free }) => free);
    if (unclear.some(({ rights }) => rights === "unread")) return { status: "needs", fact: "leaseRoles" };
    return unclear.some(({ rights }) => rights === "unknown") ? { status: "not-applicable", because: { key: "by-cluster-role" } } : { status: "pass" };
  },
});

/** The newest line in which one of the pods was refused its lease, unless it got it later: rights may come a moment after the pod. */
function refusalIn(logs: readonly ContainerLog[], pods: readonly Pod[]): Evidence | undefined {
  for (const { namespace, pod, container, lines } of logs) {
    if (!pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace)) continue;
    const at = lines.findLastIndex((line) => refusal.test(line));
    const value = lines[at];
    if (value !== undefined && at > lines.findLastIndex((line) => acquired.test(line))) {
      return { object: { kind: "Pod", namespace, name: pod }, path: `log/${container}`, value };
    }
  }
  return undefined;
}

function holding(lease: Lease | null, now: Date): Text<"free" | "stale"> {
  if (!isHeld(lease, now)) return { key: "free", values: { lease: leaseNames.cainjector } };
  return { key: "stale", values: { lease: leaseNames.cainjector, holder: lease?.spec?.holderIdentity ?? "" } };
}

function leaseEvidence({ ref, object }: Lookup<Lease>): Evidence {
  return object ? { object: ref, path: "spec.renewTime", value: object.spec?.renewTime ?? null } : { object: ref, path: "metadata", value: null };
}

function flagEvidence(cainjector: Deployment): Evidence {
  const { namespace, name } = cainjector.metadata;
  const { container, args, at } = electionFlag(cainjector);
  const path = `spec.template.spec.containers[${container}].args`;
  return { object: { kind: "Deployment", namespace, name }, path: at < 0 ? path : `${path}[${at}]`, value: args[at] ?? args.join(" ") };
}

function fix(install: Install, cainjector: Deployment, election: string, isManaged: boolean) {
  // There no rights can be given, and OLM puts changed arguments back.
  if (install.method === "olm" && isManaged) return [];
  const { namespace } = install;
  const kubectl = { for: "kubectl" as const, effect: "none" as const };
  return [
    ...cure(install, cainjector, election),
    {
      ...kubectl,
      title: { key: "wait" as const },
      command: [
        `kubectl -n ${namespace} rollout status deployment/${cainjector.metadata.name} --timeout=2m`,
        `kubectl -n ${install.method === "olm" ? election : namespace} get lease ${leaseNames.cainjector}`,
        "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='NAME:.metadata.name,CA:.webhooks[*].clientConfig.caBundle' | cut -c1-80",
      ].join("\n"),
    },
    { ...kubectl, title: { key: "verify" as const }, command: acceptIssuer(namespace) },
  ];
}

/** OLM puts arguments back, so there the rights have to follow them; an install that elects at home only lacks its Role. */
function cure(install: Install, cainjector: Deployment, election: string) {
  if (install.method === "olm") {
    return [
      {
        title: { key: "grant" as const },
        for: "kubectl" as const,
        command: grantLease(cainjector, leaseNames.cainjector, election).join("\n"),
        effect: "cluster" as const,
        changes: { key: "grant-changes" as const, values: { election, account: accountOf(cainjector) } },
        undo: { key: "grant-undo" as const },
      },
    ];
  }
  if (election === install.namespace) return reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } });
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
