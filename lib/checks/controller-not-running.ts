import { installs } from "../derive/installs.ts";
import { readinessEvidence } from "../derive/readiness-evidence.ts";
import { startAgain } from "../derive/start-again.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import { startFailures } from "./start-failures.ts";

export default defineCheck({
  id: "controller-not-running",
  area: "controller",
  severity: "blocker",
  needs: ["deployments"],
  uses: ["pods"],
  causedBy: [...startFailures],
  sources: ["catalogue 1.10 controller-not-running", "https://cert-manager.io/docs/installation/best-practice/"],
  strings: {
    title: "Controller without a ready pod",
    headline: "*No certificate is issued or renewed,* because no pod of cert-manager's controller is ready.",
    why: "The controller does what Certificates and Issuers ask for. While it doesn't run, the webhook goes on accepting objects, certificates that are there stay valid until they expire, and deleting a Challenge doesn't end.",
    ignore: "While the pods of a new install start this is normal.",
    stopped: "{name} in namespace {namespace} has no ready pod, so nothing happens to its Certificates.",
    sure: "The Deployment says how many of its pods are ready; it asks for at least one and has none, or was told to have none.",
    "not-refused": "What a controller that runs may do is another matter.",
    look: "See why it doesn't start",
    again: "Start it again",
    "again-changes": "The pods of the controller are replaced. It takes up what was left undone; certificates that are valid aren't issued again.",
    scale: "Let it run",
    "scale-changes": "One pod of the controller starts and takes up what was left undone: certificates that are due are renewed.",
    "scale-undo": "Scale it to 0 again.",
    watch: "Watch it become ready",
    none: "No Deployment of the controller is here: a missing one is a matter of the install.",
  },
  run({ deployments, pods }) {
    const found = installs({ deployments }).flatMap((install) => {
      const { controller } = install.components;
      return controller ? [{ install, controller }] : [];
    });
    if (found.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const problems = found
      .filter(({ controller }) => (controller.status?.readyReplicas ?? 0) === 0)
      .map(({ install, controller }) => ({
        key: "stopped" as const,
        values: { name: controller.metadata.name, namespace: install.namespace },
        severity: "blocker" as const,
        subject: { kind: "Deployment", namespace: install.namespace, name: controller.metadata.name },
        component: "controller" as const,
        install: install.namespace,
        transient: controller.spec.replicas !== 0,
        evidence: readinessEvidence(install, "controller", { pods: knownValue(pods) ?? [] }),
        fix: startAgain(install, "controller"),
      }));
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, because: [{ key: "sure" }], ruledOut: [{ check: "controller-rbac-forbidden", key: "not-refused" }] };
  },
});
