import { findPattern } from "../kube/error-text.ts";
import { crdName, resources } from "../kube/resources.ts";
import { defineCheck, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const patterns: readonly Pattern[] = [
  {
    in: "anywhere",
    text: /GKEAutopilot authz: cluster scoped resource "(?<kind>mutating|validating)webhookconfigurations\/?[^"]*" is managed and access is denied/,
  },
];

export default defineCheck({
  id: "gke-autopilot-webhook-denied",
  area: "platform",
  severity: "blocker",
  needs: ["reportedErrors"],
  uses: ["webhooks", "version"],
  causedBy: [],
  patterns,
  sources: [
    "catalogue 1.9 gke-autopilot-webhook-denied",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/3717",
  ],
  strings: {
    title: "Webhook registration denied by GKE Autopilot",
    headline: "*cert-manager can't be installed here,* because this GKE Autopilot cluster denies registrations of mutating webhooks.",
    why: "Autopilot clusters before Kubernetes 1.21 let nobody register a mutating webhook. Without it CertificateRequests don't record who made them, and cert-manager refuses to work on them. No right of your account changes that, a later version of the cluster does.",
    denied: "GKE Autopilot refused a webhook registration. The cluster has version {version}.",
    sure: "The refusal names Autopilot's own rule, not a role that is missing.",
    version: "See which versions the cluster can be upgraded to",
    upgrade: "Upgrade the control plane, and install cert-manager again",
    "upgrade-changes": "The cluster's control plane moves to the newest version of its release channel. Nodes follow later.",
    registered: "The registrations are in place, so that the refusal is over.",
    unreported: "No such refusal was reported.",
  },
  run({ reportedErrors, webhooks, version }) {
    const text = reportedErrors.find((one) => patterns.some((pattern) => findPattern(one, pattern)));
    if (text === undefined) return { status: "not-applicable", because: { key: "unreported" } };
    if ((knownValue(webhooks) ?? []).some(({ configuration }) => configuration.kind === "MutatingWebhookConfiguration")) {
      return { status: "not-applicable", because: { key: "registered" } };
    }
    const subject = { kind: "CustomResourceDefinition", name: crdName(resources.certificaterequests) };
    const clusters = "gcloud container clusters list --filter=autopilot.enabled=true";
    return {
      status: "fail",
      problems: [
        {
          key: "denied",
          values: { version: knownValue(version)?.gitVersion ?? "?" },
          severity: "blocker",
          subject,
          evidence: [{ object: subject, path: "answer", value: text }],
          fix: [
            {
              title: { key: "version" },
              for: "kubectl",
              command: `${clusters} --format='table(name,location,currentMasterVersion,releaseChannel.channel,endpoint)'`,
              effect: "none",
            },
            {
              title: { key: "upgrade" },
              for: "kubectl",
              command: [
                "SERVER=$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}' | cut -d/ -f3)",
                `read -r CLUSTER LOCATION <<<"$(gcloud container clusters list --filter="endpoint=$SERVER" --format='value(name,location)')"`,
                'gcloud container clusters upgrade "$CLUSTER" --location="$LOCATION" --master',
              ].join("\n"),
              effect: "cluster",
              changes: { key: "upgrade-changes" },
            },
          ],
        },
      ],
      because: [{ key: "sure" }],
    };
  },
});
