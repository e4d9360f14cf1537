import { electors } from "../derive/electors.ts";
import { installs } from "../derive/installs.ts";
import { severityWithoutCainjector } from "../derive/outage.ts";
import { refusals } from "../derive/refusals.ts";
import { restart } from "../kube/commands.ts";
import { flagOf, type Install } from "../kube/install.ts";
import { crdName, resources } from "../kube/resources.ts";
import { defineCheck } from "../model/check.ts";
import type { Deployment } from "../model/kubernetes.ts";

const crd = crdName(resources.certificates);
const waiting = /certificates\.cert-manager\.io CRD not found, retrying|error retrieving certificate\.cert-manager\.io CRDs/;

export default defineCheck({
  id: "cainjector-waiting-for-crds",
  area: "cainjector",
  severity: "blocker",
  needs: ["deployments", "crds", "pods", "leases"],
  uses: ["logs", "webhooks", "caSecrets"],
  causedBy: ["crds-missing"],
  patterns: [{ in: "anywhere", text: waiting }],
  sources: ["catalogue 1.9 cainjector-waiting-for-crds", "https://cert-manager.io/docs/concepts/ca-injector/"],
  strings: {
    title: "cainjector waiting for cert-manager's CRDs",
    headline: "*No Certificate or Issuer can be created or changed,* because cainjector waits for cert-manager's CRDs before it fills in the webhook's CA.",
    "headline-degraded": {
      text: "*The webhook's CA isn't brought to the API server,* because cainjector waits for cert-manager's CRDs.",
      note: "Said instead of the headline while the CA bundles that are there still hold.",
    },
    why: "cainjector can take a CA from a Certificate, so it looks for that kind's CRD when it starts, before it takes its lease or does anything else. It waits for up to five minutes and then exits. Until then it does nothing at all, not even with the CA of cert-manager's own webhook, which comes from a Secret.",
    ignore: "If the CRDs are applied after cert-manager, it goes on by itself within seconds of them, or after its next start.",
    missing: "{name} in namespace {namespace} waits for the CRD `{crd}`, which doesn't exist.",
    late: "{name} in namespace {namespace} gave up waiting for the CRD `{crd}`. It is there now, but the next start of cainjector comes only when its back-off is over.",
    "not-found": "The API server was asked for the CRD by its name and answered that it doesn't exist, and nobody leads cainjector.",
    said: "cainjector's own log says that it waits for it.",
    "not-lease": "It waits for the CRD first: it takes its lease only after that.",
    again: "Make cainjector look at once",
    "again-changes": "The pod of cainjector is replaced and doesn't sit out its back-off. Nothing else changes.",
    watch: "Watch the CRD and the bundles arrive",
    none: "No cainjector is here that would need the CRD.",
  },
  run({ deployments, crds, pods, leases, logs, webhooks, caSecrets }, now) {
    const found = installs({ deployments }).flatMap((install) => {
      const { cainjector } = install.components;
      return cainjector && flagOf(cainjector, "enable-certificates-data-source") !== "false" ? [{ install, cainjector }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const isMissing = crds.some(({ ref, object }) => ref.name === crd && !object);
    const leading = electors("cainjector", { deployments, pods, leases }, now).filter(({ held, holder }) => held && holder);
    const idle = found.filter(({ install, cainjector }) => cainjector.spec.replicas !== 0 && !leading.some((one) => one.install === install));
    const waits = idle.flatMap((one) => {
      const lines = refusals(one.install, "cainjector", { pods: { state: "known", value: pods }, logs }, waiting);
      const ready = (one.cainjector.status?.readyReplicas ?? 0) > 0;
      // With the CRD there, only an end that it is still recovering from counts.
      return isMissing || (lines.length > 0 && !ready) ? [{ ...one, lines }] : [];
    });
    const problems = waits.map(({ install, cainjector, lines }) => ({
      key: isMissing ? ("missing" as const) : ("late" as const),
      values: { name: cainjector.metadata.name, namespace: install.namespace, crd },
      severity: severityWithoutCainjector(install, { deployments, webhooks, caSecrets }),
      subject: { kind: "Deployment", namespace: install.namespace, name: cainjector.metadata.name },
      component: "cainjector" as const,
      install: install.namespace,
      transient: true,
      evidence: [...(isMissing ? [{ object: { kind: "CustomResourceDefinition", name: crd }, path: "metadata", value: null }] : []), ...lines],
      fix: fix(install, cainjector),
    }));
    if (problems.length === 0) {
      // One that isn't ready may be waiting out its back-off.
      const unsure = idle.some(({ cainjector }) => (cainjector.status?.readyReplicas ?? 0) === 0);
      return unsure && logs.state !== "known" ? { status: "needs", fact: "logs" } : { status: "pass" };
    }
    return {
      status: "fail",
      problems,
      ...(problems.some(({ severity }) => severity === "blocker") ? {} : { headline: { key: "headline-degraded" } as const }),
      because: [...(isMissing ? [{ key: "not-found" as const }] : []), ...(waits.some(({ lines }) => lines.length > 0) ? [{ key: "said" as const }] : [])],
      ruledOut: [{ check: "cainjector-leader-election-forbidden", key: "not-lease" }],
    };
  },
});

/** The CRDs themselves are for the check that misses them. */
function fix(install: Install, cainjector: Deployment) {
  const { namespace } = install;
  const { name } = cainjector.metadata;
  const kubectl = { for: "kubectl" as const };
  return [
    { ...kubectl, title: { key: "again" as const }, command: restart(namespace, name), effect: "cluster" as const, changes: { key: "again-changes" as const } },
    {
      ...kubectl,
      title: { key: "watch" as const },
      command: `kubectl wait --for=condition=Established --timeout=60s crd/${crd}\nkubectl -n ${namespace} logs deployment/${name} --tail=20`,
      effect: "none" as const,
    },
  ];
}
