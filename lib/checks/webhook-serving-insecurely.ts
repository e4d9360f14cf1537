import { calledWebhook } from "../derive/called-webhook.ts";
import { claimCall } from "../derive/claim-call.ts";
import { meshInFront, meshStrings } from "../derive/mesh-bypass.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { reapply } from "../kube/commands.ts";
import { flagOf, mainContainer } from "../kube/install.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import type { Deployment } from "../model/kubernetes.ts";

const patterns: readonly Pattern[] = [
  {
    in: "webhook-call",
    text: /(?<!proxyconnect tcp: )(?:http: server gave HTTP response to HTTPS client|tls: first record does not look like a TLS handshake)/,
  },
];
/** Each of them gives the webhook a certificate, or may do so. */
const certificateFlags = ["dynamic-serving-ca-secret-name", "tls-cert-file", "config"];

export default defineCheck({
  id: "webhook-serving-insecurely",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods"],
  causedBy: ["webhook-service-port-mismatch"],
  patterns,
  sources: [
    "catalogue 1.8 webhook-serving-insecurely",
    "https://cert-manager.io/docs/concepts/webhook/",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
  ],
  strings: {
    title: "Plain HTTP where the webhook's TLS is expected",
    headline: "*No Certificate or Issuer can be created or changed,* because what answers in the webhook's place doesn't speak TLS.",
    why: "The API server calls webhooks by TLS only. A plain answer comes from another port, such as the one for health checks or metrics; from a webhook that was given no certificate; or from a mesh or load balancer that ends TLS itself.",
    ...roleStrings,
    ...meshStrings,
    plain: "The API server's call to {target} was answered without TLS.",
    "no-certificate": "The API server's call to {target} was answered without TLS, and no argument of Deployment {deployment} gives the webhook a certificate.",
    log: "A line in the webhook's log about serving insecurely proves nothing: healthy webhooks write it about their metrics.",
    "not-ca": "No certificate came, so none was refused.",
    restore: "Put the webhook's arguments back",
    "restore-changes":
      "The manifest of the same version is applied again, with the arguments by which the webhook makes its certificate. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    endpoints: "See which port the Service leads to: it must be the one that the webhook's container calls https",
    unseen: "The API server didn't get as far as an answer from what stands in the webhook's place.",
  },
  run({ apiProbe, reportedErrors, deployments, pods }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "connected", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const called = calledWebhook(call, { deployments, pods });
    const { install, webhook } = called;
    const bare = webhook && !certificateFlags.some((flag) => flagOf(webhook, flag)) ? webhook : undefined;
    const mesh = meshInFront(called);
    return {
      status: "fail",
      problems: [
        {
          key: bare ? "no-certificate" : "plain",
          values: { target: targetOf(call), deployment: bare?.metadata.name ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...(bare ? [argumentsOf(bare)] : []), ...mesh.evidence],
          fix: [
            ...(bare && install ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }) : []),
            ...mesh.fix,
            ...(call.namespace
              ? [
                  {
                    title: { key: "endpoints" as const },
                    for: "kubectl" as const,
                    command: `kubectl -n ${call.namespace} get endpointslices -l kubernetes.io/service-name=${call.service} && kubectl -n ${call.namespace} get pods -l app.kubernetes.io/component=webhook -o custom-columns='POD:.metadata.name,NAMES:.spec.containers[*].ports[*].name,PORTS:.spec.containers[*].ports[*].containerPort'`,
                    effect: "none" as const,
                  },
                ]
              : []),
          ],
        },
      ],
      because: [...mesh.because, { key: "log" as const }, ...roleOf(call)],
      ruledOut: [{ check: "ca-bundle-mismatch", key: "not-ca" }],
    };
  },
});

function argumentsOf(webhook: Deployment): Evidence {
  const main = mainContainer(webhook);
  const index = main ? webhook.spec.template.spec.containers.indexOf(main) : 0;
  return {
    object: { kind: "Deployment", namespace: webhook.metadata.namespace, name: webhook.metadata.name },
    path: `spec.template.spec.containers[${index}].args`,
    value: main?.args ? main.args.join(" ") : null,
  };
}
