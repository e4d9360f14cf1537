import { componentPods } from "../derive/component-pods.ts";
import { installs } from "../derive/installs.ts";
import { metCertificate } from "../derive/met-certificate.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { stageOf } from "../kube/webhook-failure.ts";
import { declaredPort, declaredPortPath, freePort, kubeletPort, movePort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const computeType = "eks.amazonaws.com/compute-type";

export default defineCheck({
  id: "serving-cert-is-kubelet",
  area: "platform",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods", "webhookNodes"],
  causedBy: [],
  patterns: [
    { in: "webhook-call", text: /x509: certificate is valid for (?<names>.*(?:compute\.internal|\.ec2\.internal|\bip-\d+).*), not (?<wanted>[^\s"]+)/ },
    // Nodes on premises have short names, and hardly anything else has a certificate for one.
    {
      in: "webhook-call",
      text: /x509: certificate is valid for (?<names>(?!localhost|kubernetes|[^,]*webhook|ip-\d)[a-z0-9][a-z0-9-]*), not (?<wanted>[^\s"]+)/,
    },
  ],
  sources: [
    "catalogue 1.7 serving-cert-is-kubelet",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://cert-manager.io/docs/installation/compatibility/",
    "https://github.com/cert-manager/cert-manager/issues/3237",
  ],
  strings: {
    title: "Kubelet answers in the webhook's place",
    headline: "*No Certificate or Issuer can be created or changed,* because the API server reaches a kubelet where it expects cert-manager's webhook.",
    why: "Kubelets listen on port 10250 of every node, and the webhook uses the same port of its pod. On EKS Fargate, and with `hostNetwork`, pod and node share one address, so the kubelet takes the call. Its certificate is the node's, and the API server rightly refuses it.",
    fargate: "The API server called {target} and got the certificate of {names}: on Fargate the kubelet holds port {port} of the pod's own address.",
    "host-network": "The API server called {target} and got the certificate of {names}: with `hostNetwork` the kubelet holds port {port} of the node.",
    node: "The API server called {target} and got the certificate of {names}, which is a node.",
    "by-name": "The certificate names a node, and names are compared before issuers are.",
    "not-ca": "The CA bundle wasn't even looked at: the certificate was refused for its names.",
    move: "Move the webhook to a port of its own",
    "move-changes":
      "The webhook's pods are replaced by new ones that listen on port 10260. Security groups and NetworkPolicies that name port 10250 must allow 10260 too.",
    "move-undo": "The same step with port {port} takes it back.",
    where: "See at which address and port the Service arrives",
    whose: "The certificate is for {names}, and nothing that could be read tells whether that is a node.",
    unseen: "The API check saw no certificate of the webhook.",
  },
  run({ apiProbe, reportedErrors, deployments, pods, webhookNodes }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called") return { status: "not-applicable", because: { key: "unseen" } };
    const { call } = made;
    const install = installs({ deployments: knownValue(deployments) ?? [] }).find((one) => one.namespace === call.namespace && one.components.webhook);
    const running = install ? componentPods({ pods: knownValue(pods) ?? [] }, install, "webhook") : [];
    const met = metCertificate(call, running, webhookNodes);
    const names = met?.names ?? "";
    if (met?.whose !== "node") {
      const certificateSeen = stageOf(call.reason) === "connected" && call.reason.includes("x509: ");
      if (!certificateSeen) return { status: "not-applicable", because: { key: "unseen" } };
      return met?.whose === "unknown" ? { status: "not-applicable", because: { key: "whose", values: { names } } } : { status: "pass" };
    }
    const webhook = install?.components.webhook;
    const port = declaredPort(webhook) ?? kubeletPort;
    const fargate = (knownValue(webhookNodes) ?? []).filter(({ object }) => object?.metadata.labels?.[computeType] === "fargate");
    const onFargate = fargate.length > 0 || running.some((pod) => pod.spec.nodeName?.startsWith("fargate-")) || names.startsWith("fargate-");
    const onHost = webhook?.spec.template.spec.hostNetwork === true;
    const deployment = webhook && { kind: "Deployment", namespace: webhook.metadata.namespace, name: webhook.metadata.name };
    const about: readonly Evidence[] = [
      ...fargate.map(({ ref }) => ({ object: ref, path: metadataPath("labels", computeType), value: "fargate" })),
      ...(deployment && onHost ? [{ object: deployment, path: "spec.template.spec.hostNetwork", value: "true" }] : []),
      ...(deployment ? [{ object: deployment, path: declaredPortPath(webhook), value: String(port) }] : []),
    ];
    return {
      status: "fail",
      problems: [
        {
          key: onFargate ? "fargate" : onHost && port === kubeletPort ? "host-network" : "node",
          values: { target: targetOf(call), names, port },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...about],
          fix: [
            ...(install && webhook && port === kubeletPort
              ? setValues(
                  install,
                  { title: { key: "move" as const }, changes: { key: "move-changes" as const }, undo: { key: "move-undo" as const, values: { port } } },
                  { webhook: { securePort: freePort } },
                  movePort(webhook, freePort),
                )
              : []),
            ...(call.namespace
              ? [
                  {
                    title: { key: "where" as const },
                    for: "kubectl" as const,
                    command: `kubectl -n ${call.namespace} get endpointslices -l kubernetes.io/service-name=${call.service} && kubectl get nodes -o wide`,
                    effect: "none" as const,
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "by-name" }],
      ruledOut: [{ check: "ca-bundle-mismatch", key: "not-ca" }],
    };
  },
});
