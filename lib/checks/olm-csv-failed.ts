import { installs } from "../derive/installs.ts";
import { isReady } from "../kube/readiness.ts";
import { defineCheck } from "../model/check.ts";
import { type Fact, knownValue } from "../model/facts.ts";
import type { FixStep } from "../model/fix.ts";
import type { ClusterServiceVersion, Deployment } from "../model/kubernetes.ts";
import { startFailures } from "./start-failures.ts";

/** For so long OLM may look for what an operator requires. */
const patience = 5 * 60_000;

type Key = "plans" | "required" | "groups" | "global" | "global-changes" | "global-undo" | "deployments";

export default defineCheck({
  id: "olm-csv-failed",
  area: "platform",
  severity: "blocker",
  needs: ["clusterServiceVersions"],
  uses: ["deployments"],
  causedBy: [...startFailures, "webhook-not-ready-500", "webhook-probe-port-mismatch"],
  sources: ["catalogue 1.12 olm-csv-failed", "https://cert-manager.io/docs/installation/operator-lifecycle-manager/", "https://olm.operatorframework.io/docs/"],
  strings: {
    title: "Install by OLM that failed",
    headline: "*cert-manager isn't running as it should,* because the Operator Lifecycle Manager can't install it.",
    "headline-served": "*cert-manager runs, and OLM no longer takes care of it:* its ClusterServiceVersion failed.",
    why: "On clusters with OLM a ClusterServiceVersion says what an operator is made of, and OLM makes it: Deployments, rights, webhook registrations and the CA in them. Where it fails, none of these is kept in order, and an upgrade stops half-way.",
    group: "ClusterServiceVersion {name} in namespace {namespace} failed, because of the namespace's OperatorGroups: {message}",
    requirements: "ClusterServiceVersion {name} in namespace {namespace} waits for something that it requires: {message}",
    unhealthy: "ClusterServiceVersion {name} in namespace {namespace} failed, because one of its Deployments isn't healthy: {message}",
    other: {
      text: "ClusterServiceVersion {name} in namespace {namespace} failed with {reason}: {message}",
      note: "{reason} is OLM's code, {message} its text in English",
    },
    said: "OLM itself says so in the object's status.",
    groups: "See the namespace's OperatorGroups: there must be exactly one",
    global: "Let it watch all namespaces",
    "global-changes":
      "The OperatorGroup of namespace {namespace} then covers all namespaces, for every operator that OLM installs there. cert-manager knows no other way.",
    "global-undo": "Put the old `targetNamespaces` back into the OperatorGroup.",
    plans: "See whether an install plan waits for approval",
    required: "See what is required, and which of it is missing",
    deployments: "See which Deployment isn't healthy",
  },
  run({ clusterServiceVersions, deployments }, now) {
    const failed = clusterServiceVersions.filter((one) => isFailed(one, now));
    if (failed.length === 0) return { status: "pass" };
    const served = failed.every(({ metadata }) => isServed(metadata.namespace, deployments));
    const problems = failed.map(({ metadata: { name, namespace = "" }, status = {} }) => {
      const { phase = "", reason = "", message = "" } = status;
      const subject = { kind: "ClusterServiceVersion", namespace, name };
      const key = keyOf(reason);
      return {
        key,
        values: { name, namespace, reason: reason || phase, message },
        severity: isServed(namespace, deployments) ? ("degraded" as const) : ("blocker" as const),
        subject,
        install: installNamespace(namespace, deployments),
        evidence: [
          { object: subject, path: "status.phase", value: phase },
          { object: subject, path: "status.reason", value: reason || null },
          { object: subject, path: "status.message", value: message || null },
        ],
        fix: fixOf(key, namespace, name, reason),
      };
    });
    return { status: "fail", problems, because: [{ key: "said" }], ...(served ? { headline: { key: "headline-served" as const } } : {}) };
  },
});

type Failure = "group" | "requirements" | "unhealthy" | "other";

/** An install under way isn't a failure: its pods say how it gets on. */
function isFailed({ metadata, status }: ClusterServiceVersion, now: Date): boolean {
  if (status?.phase === "Failed") return true;
  const since = Date.parse(status?.lastTransitionTime ?? metadata.creationTimestamp ?? "");
  return status?.phase === "Pending" && status.reason === "RequirementsNotMet" && now.getTime() - since > patience;
}

function keyOf(reason: string): Failure {
  if (/OperatorGroup/.test(reason)) return "group";
  if (reason === "RequirementsNotMet") return "requirements";
  return /^(?:ComponentUnhealthy|InstallCheckFailed|InstallComponentFailed|DeploymentNotReady)$/.test(reason) ? "unhealthy" : "other";
}

/** Red Hat's operator lives in a namespace of its own and puts cert-manager into another one. */
function installNamespace(namespace: string, deployments: Fact<readonly Deployment[]>): string {
  const found = installs({ deployments: knownValue(deployments) ?? [] });
  const own = found.find((install) => install.namespace === namespace) ?? found.find(({ method }) => method === "olm");
  return own?.namespace ?? namespace;
}

function isServed(namespace: string | undefined, deployments: Fact<readonly Deployment[]>): boolean {
  const at = installNamespace(namespace ?? "", deployments);
  const own = (knownValue(deployments) ?? []).filter(({ metadata }) => metadata.namespace === at);
  return own.length > 0 && own.every(isReady);
}

function fixOf(key: Failure, namespace: string, name: string, reason: string): readonly FixStep<Key>[] {
  const look = (title: Key, command: string): FixStep<Key> => ({ title: { key: title }, for: "kubectl", command, effect: "none" });
  const plans = look("plans", `kubectl -n ${namespace} get subscriptions.operators.coreos.com,installplans.operators.coreos.com`);
  if (key === "group") {
    const groups = look("groups", `kubectl -n ${namespace} get operatorgroups.operators.coreos.com -o yaml`);
    if (reason !== "UnsupportedOperatorGroup") return [groups];
    const group = `"$(kubectl -n ${namespace} get operatorgroups.operators.coreos.com -o jsonpath='{.items[0].metadata.name}')"`;
    return [
      groups,
      {
        title: { key: "global" },
        for: "olm",
        command: `kubectl -n ${namespace} patch operatorgroups.operators.coreos.com ${group} --type=merge -p '{"spec":{"targetNamespaces":null,"selector":null}}'`,
        effect: "cluster",
        changes: { key: "global-changes", values: { namespace } },
        undo: { key: "global-undo" },
      },
    ];
  }
  if (key === "unhealthy") return [look("deployments", `kubectl -n ${namespace} get deployments,pods -o wide`)];
  const format = '{range .status.requirementStatus[*]}{.kind}{" "}{.name}{" "}{.status}{"\\n"}{end}';
  return [look("required", `kubectl -n ${namespace} get clusterserviceversions.operators.coreos.com ${name} -o jsonpath='${format}'`), plans];
}
