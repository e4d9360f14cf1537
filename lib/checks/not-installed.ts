import { applyManifest, helmInstall, newestVersion } from "../kube/commands.ts";
import { defineCheck } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

export default defineCheck({
  id: "not-installed",
  area: "discovery",
  severity: "info",
  needs: ["deployments"],
  uses: ["crds", "webhooks"],
  causedBy: [],
  sources: ["catalogue 1.1 not-installed", "https://cert-manager.io/docs/installation/helm/"],
  strings: {
    title: "No cert-manager in the cluster",
    headline: "*Nothing issues certificates here,* because cert-manager isn't installed.",
    why: "None of its Deployments, CRDs and webhook registrations is in the cluster. Manifests with a Certificate or an Issuer are refused with “no matches for kind”.",
    ignore: "In a cluster that isn't meant to have cert-manager there is nothing to do.",
    nothing: "No namespace has a controller, webhook or cainjector, none of the six CRDs exists, and no webhook is registered for cert-manager's kinds.",
    looked: "All three could be looked for in the whole cluster, so this isn't a matter of missing permissions.",
    "not-crds-missing": "With running components only the CRDs would be missing. Here no component runs.",
    "not-leftover": "No CRD is left over from an earlier install.",
    install: "Install cert-manager",
    "install-changes":
      "Creates the namespace `cert-manager` with three Deployments, and in the cluster six CRDs, two webhook registrations and the roles that they need. Nothing that exists is changed.",
    "install-undo":
      "Run `helm uninstall cert-manager --namespace cert-manager`, which keeps the CRDs, or `kubectl delete -f` with the same file, which deletes them with every Certificate and Issuer in them.",
    wait: "Wait until its components are available",
    some: "Parts of cert-manager are in the cluster.",
  },
  run({ deployments, crds, webhooks }) {
    if (deployments.length > 0) return { status: "pass" };
    if (knownValue(webhooks)?.length || knownValue(crds)?.some((crd) => crd.object)) return { status: "not-applicable", because: { key: "some" } };
    if (crds.state !== "known") return { status: "needs", fact: "crds" };
    if (webhooks.state !== "known") return { status: "needs", fact: "webhooks" };
    const step = {
      title: { key: "install" as const },
      effect: "cluster" as const,
      changes: { key: "install-changes" as const },
      undo: { key: "install-undo" as const },
    };
    return {
      status: "fail",
      problems: [
        {
          key: "nothing",
          severity: "info",
          subject: { kind: "CustomResourceDefinition", name: "certificates.cert-manager.io" },
          evidence: crds.value.map(({ ref }) => ({ object: ref, path: "metadata", value: null })),
          fix: [
            { ...step, for: "helm", command: helmInstall() },
            { ...step, for: "kubectl", command: applyManifest(newestVersion) },
            {
              title: { key: "wait" },
              for: "kubectl",
              command: "kubectl -n cert-manager wait --for=condition=Available deployment --all --timeout=3m",
              effect: "none",
            },
          ],
        },
      ],
      because: [{ key: "looked" }],
      ruledOut: [
        { check: "crds-missing", key: "not-crds-missing" },
        { check: "crds-only-leftover", key: "not-leftover" },
      ],
    };
  },
});
