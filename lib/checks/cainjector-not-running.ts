import { electors, isDoubtful, leaseEvidence } from "../derive/electors.ts";
import { installs } from "../derive/installs.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { readinessEvidence } from "../derive/readiness-evidence.ts";
import { startAgain } from "../derive/start-again.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import { startFailures } from "./start-failures.ts";

export default defineCheck({
  id: "cainjector-not-running",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["pods", "webhooks", "caSecrets", "leases"],
  causedBy: [...startFailures, "clock-skew"],
  sources: [
    "catalogue 1.9 cainjector-not-running",
    "https://cert-manager.io/docs/concepts/ca-injector/",
    "https://cert-manager.io/docs/installation/best-practice/",
  ],
  strings: {
    title: "cainjector without a ready pod",
    headline: "*The webhook's CA isn't brought to the API server,* because no pod of cainjector is ready.",
    why: "cainjector copies the webhook's CA into the webhook registrations, and the CAs of other products into theirs. A copy that is there goes on working until the CA is renewed, after about eight months. Without one the API server refuses every request for cert-manager's kinds.",
    ignore: "While the pods of a new install start this is normal.",
    blocked: "{name} in namespace {namespace} has no ready pod, and the webhook registrations don't have the webhook's CA.",
    unseen: "{name} in namespace {namespace} has no ready pod. Whether the webhook registrations have the webhook's CA couldn't be read.",
    covered: "{name} in namespace {namespace} has no ready pod. The webhook's CA is in its registrations already, so calls go through until it is renewed.",
    hanging:
      "{pod} in namespace {namespace} is Ready and has its lease, but hasn't renewed it since {time}: its process runs and has stopped working. A restart mends that.",
    "headline-hanging": {
      text: "*The webhook's CA isn't brought to the API server,* because the pod of cainjector runs without doing anything.",
      note: "Said instead of the headline where the pod looks Ready.",
    },
    late: "A leader renews its lease every few seconds and ends when it can't. cainjector has no probe that would see a process that did neither.",
    sure: "The Deployment says how many of its pods are ready; it asks for at least one and has none, or was told to have none.",
    "not-forbidden": "A cainjector that may not take its lease has a ready pod.",
    look: "See why it doesn't start",
    again: "Start it again",
    "again-changes": "The pods of cainjector are replaced. Nothing else changes; certificates are issued and renewed meanwhile.",
    scale: "Let it run",
    "scale-changes": "One pod of cainjector starts. Its place as leader is free, so it works within seconds.",
    "scale-undo": "Scale it to 0 again.",
    watch: "Watch it become ready",
    none: "No Deployment of cainjector is here: a missing one is a matter of the install, and an operator may fill in the CA itself.",
  },
  run({ deployments, pods, webhooks, caSecrets, leases }, now) {
    const withCainjector = installs({ deployments }).flatMap((install) => {
      const { cainjector } = install.components;
      return cainjector ? [{ install, cainjector }] : [];
    });
    if (withCainjector.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const stopped = withCainjector
      .filter(({ cainjector }) => (cainjector.status?.readyReplicas ?? 0) === 0)
      .map(({ install, cainjector }) => {
        const severity = severityWithoutCainjector(install, { deployments, webhooks, caSecrets });
        return {
          key: webhooks.state !== "known" ? ("unseen" as const) : severity === "blocker" ? ("blocked" as const) : ("covered" as const),
          values: { name: cainjector.metadata.name, namespace: install.namespace },
          severity,
          subject: { kind: "Deployment", namespace: install.namespace, name: cainjector.metadata.name },
          component: "cainjector" as const,
          install: install.namespace,
          transient: cainjector.spec.replicas !== 0,
          evidence: readinessEvidence(install, "cainjector", { pods: knownValue(pods) ?? [] }),
          fix: startAgain(install, "cainjector"),
        };
      });
    const seen = { deployments, pods: knownValue(pods) ?? [], leases: knownValue(leases) ?? [] };
    const hanging = electors("cainjector", seen, now)
      .filter(({ held, settled }) => !held && settled.length > 0 && !isDoubtful(seen, now))
      .flatMap(({ install, deployment, lease, holder }) =>
        holder
          ? [
              {
                key: "hanging" as const,
                values: { pod: holder.metadata.name, namespace: install.namespace, time: lease.object?.spec?.renewTime ?? "" },
                severity: severityWithoutCainjector(install, { deployments, webhooks, caSecrets }),
                subject: { kind: "Deployment", namespace: install.namespace, name: deployment.metadata.name },
                component: "cainjector" as const,
                install: install.namespace,
                evidence: leaseEvidence(lease),
                fix: startAgain(install, "cainjector"),
              },
            ]
          : [],
      );
    if (stopped.length > 0) {
      return {
        status: "fail",
        problems: [...stopped, ...hanging],
        because: [{ key: "sure" }],
        ruledOut: [{ check: "cainjector-leader-election-forbidden", key: "not-forbidden" }],
      };
    }
    if (hanging.length > 0) return { status: "fail", problems: hanging, headline: { key: "headline-hanging" }, because: [{ key: "late" }] };
    // It has no probe: whether a pod that is Ready works, only its lease tells.
    for (const [fact, { state }] of Object.entries({ pods, leases })) if (state !== "known") return { status: "needs", fact: fact as "pods" | "leases" };
    return { status: "pass" };
  },
});
