import { installs } from "../derive/installs.ts";
import { chartVersion, setValues } from "../kube/chart-values.ts";
import { applyManifest, newestVersion, restart } from "../kube/commands.ts";
import { crdsValues } from "../kube/crd-handover.ts";
import type { Install } from "../kube/install.ts";
import { helmOwnerOf } from "../kube/ownership.ts";
import { defineCheck } from "../model/check.ts";
import type { Lookup } from "../model/facts.ts";
import type { KubeObject } from "../model/kubernetes.ts";

const kinds = "(?:CertificateRequest|Certificate|ClusterIssuer|Issuer|Order|Challenge)";
const plurals = "(?:certificaterequests|certificates|clusterissuers|issuers|orders|challenges)";

export default defineCheck({
  id: "crds-missing",
  area: "crds",
  severity: "blocker",
  needs: ["crds", "deployments"],
  uses: [],
  causedBy: [],
  patterns: [
    { in: "anywhere", text: new RegExp(`no matches for kind \\\\?"(?<kind>${kinds})\\\\?" in version \\\\?"(?:acme\\.)?cert-manager\\.io/v1\\\\?"`) },
    { in: "anywhere", text: /failed to find API group \\?"cert-manager\.io\\?"|no resources found for group \\?"cert-manager\.io\/v1\\?"/ },
    { in: "anywhere", text: /the cert-manager CRDs are not yet installed on the Kubernetes API server/ },
    { in: "anywhere", text: new RegExp(`the server doesn't have a resource type "${plurals}(?:\\.(?:acme\\.)?cert-manager\\.io)?"`) },
    { in: "anywhere", text: new RegExp(`\\*v1\\.${kinds}\\b.*the server could not find the requested resource`) },
    {
      in: "anywhere",
      text: new RegExp(`the server could not find the requested resource \\((?:get|post|put|patch|delete) ${plurals}\\.(?:acme\\.)?cert-manager\\.io`),
    },
  ],
  sources: [
    "catalogue 1.4 crds-missing",
    "catalogue 1.4 crds-partial",
    "catalogue 1.9 cainjector-waiting-for-crds",
    "https://cert-manager.io/docs/installation/helm/",
  ],
  strings: {
    title: "cert-manager without its CRDs",
    headline: "*The API server refuses cert-manager's kinds as unknown,* because cert-manager runs without all of its CRDs.",
    why: "Every manifest with a kind whose CRD is missing is refused. cainjector waits for the Certificate CRD before it does anything, which leaves the webhook without a CA bundle, and it exits after five minutes. The chart brings the CRDs only when it is told to.",
    all: "None of cert-manager's six CRDs exists, although {install} runs in namespace {namespace}.",
    some: {
      text: "{missing, plural, one {# CRD of cert-manager's six is missing, {first}} other {# of cert-manager's six CRDs are missing, among them {first}}}, although {install} runs in namespace {namespace}.",
      note: "{first} is a CRD's full name, {install} the name of a Deployment",
    },
    sure: "The API server was asked for each CRD by its name and answered that it doesn't exist, which is not the same as not being allowed to see it.",
    "not-absent": "Deployment {install} is in namespace {namespace}, so cert-manager is installed.",
    "not-leftover": "Components run here; what is missing are the CRDs.",
    add: "Add the CRDs in the version of the components",
    "add-changes":
      "The missing CRDs are created, in version {version}. Objects that exist are not touched. Custom resources that were in a deleted CRD are gone with it; they come back only from a backup.",
    "add-undo": "Deleting the CRDs again would delete every Certificate and Issuer that was created since, so leave them.",
    established: "Wait until the API server serves them",
    wake: "Let cainjector see them at once",
    "wake-changes": "cainjector starts again instead of sitting out its back-off, and fills in the webhook's CA bundle. Nothing else changes.",
    none: "No component of cert-manager runs here that would need them.",
  },
  run({ crds, deployments }) {
    const found = installs({ deployments });
    const [install] = found;
    if (!install) return { status: "not-applicable", because: { key: "none" } };
    const missing = crds.filter((crd) => crd.object === null).map(({ ref }) => ref);
    const [first] = missing;
    if (!first) return { status: "pass" };
    const all = missing.length === crds.length;
    const values = { install: nameOf(install), namespace: install.namespace };
    return {
      status: "fail",
      problems: [
        {
          key: all ? "all" : "some",
          values: { ...values, missing: missing.length, first: first.name },
          severity: "blocker",
          subject: first,
          evidence: missing.map((object) => ({ object, path: "metadata", value: null })),
          fix: [
            ...add(install, crds),
            {
              title: { key: "established" },
              for: "kubectl",
              command: `kubectl wait --for=condition=Established --timeout=60s ${missing.map(({ name }) => `crd/${name}`).join(" ")}`,
              effect: "none",
            },
            ...found.flatMap(({ namespace, components: { cainjector } }) =>
              cainjector
                ? [
                    {
                      title: { key: "wake" as const },
                      for: "kubectl" as const,
                      command: restart(namespace, cainjector.metadata.name),
                      effect: "cluster" as const,
                      changes: { key: "wake-changes" as const },
                    },
                  ]
                : [],
            ),
          ],
        },
      ],
      because: [{ key: "sure" }],
      ruledOut: [
        { check: "not-installed", key: "not-absent", values },
        { check: "crds-only-leftover", key: "not-leftover" },
      ],
    };
  },
});

function nameOf({ components, release }: Install): string {
  return (components.controller ?? components.webhook ?? components.cainjector)?.metadata.name ?? release;
}

/** The chart's own value for a release that owns what is left of the CRDs, which it would stumble over otherwise; else their manifest. */
function add(install: Install, crds: readonly Lookup<KubeObject>[]) {
  const version = chartVersion(install);
  const step = {
    title: { key: "add" as const },
    changes: { key: "add-changes" as const, values: { version: version || newestVersion } },
    undo: { key: "add-undo" as const },
  };
  const manifest = { ...step, for: "kubectl" as const, command: applyManifest(version, "cert-manager.crds.yaml"), effect: "cluster" as const };
  const left = crds.flatMap(({ object }) => object ?? []).map(helmOwnerOf);
  const owned = left.every((owner) => owner.managedByHelm && owner.release === install.release && owner.namespace === install.namespace);
  if (install.method !== "helm" || !owned) return [manifest];
  return [...setValues(install, step, crdsValues(version, true)), manifest];
}
