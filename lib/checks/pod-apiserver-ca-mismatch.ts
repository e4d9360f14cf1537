import { installOfPod } from "../derive/install-of-pod.ts";
import { severityWithoutPod } from "../derive/outage.ts";
import { restart } from "../kube/commands.ts";
import { componentOf } from "../kube/install.ts";
import { isPodReady } from "../kube/readiness.ts";
import { defineCheck } from "../model/check.ts";

/** A component's own call to the API server. kubectl's calls from outside go to names, or to other ports. */
const refused =
  /\b(?:Get|Post|Put|Patch) \\?"https:\/\/(?:\d+\.\d+\.\d+\.\d+|\[[\da-f:]+\]|kubernetes\.default\.svc[\w.]*)(?::443)?\/(?:api|apis|version)\b[^"\\]*\\?": (?:tls: failed to verify certificate: )?x509: (?<why>certificate signed by unknown authority|certificate is valid for [^\n"]*, not [^\s"]+|certificate has expired or is not yet valid)/;
const rootCa = "kube-root-ca.crt";

export default defineCheck({
  id: "pod-apiserver-ca-mismatch",
  area: "platform",
  severity: "blocker",
  needs: ["logs", "pods"],
  uses: ["deployments", "webhooks"],
  causedBy: [],
  patterns: [{ in: "anywhere", text: refused }],
  sources: [
    "catalogue 1.3 pod-apiserver-ca-mismatch",
    "https://github.com/cert-manager/cert-manager/issues/3281",
    "https://kubernetes.io/docs/tasks/tls/manual-rotation-of-ca-certificates/",
  ],
  strings: {
    title: "API server not trusted by cert-manager",
    headline: "*A part of cert-manager can't do anything,* because it doesn't trust the certificate of the API server that it calls.",
    why: "Pods check the API server's certificate with the CA in their service account's volume, which comes from the ConfigMap `kube-root-ca.crt` of their namespace. After the cluster's CA was replaced, or where somebody opens TLS between pods and API server, the two don't fit. The caBundle of cert-manager's webhook has nothing to do with it.",
    untrusting: "Pod {name} in namespace {namespace} refuses the API server's certificate: {why}.",
    client: "Here cert-manager is the one who calls, and the API server is the one who isn't trusted.",
    "not-bundle": "The webhook's CA bundle is for calls in the other direction.",
    compare: "Compare the CA that pods are given with the one that signed the API server's certificate",
    renew: "Have the control plane write the ConfigMap anew",
    "renew-changes":
      "The ConfigMap `kube-root-ca.crt` of namespace {namespace} is deleted, and the controller manager writes it again within seconds with the CA that it has. Running pods get it within a minute.",
    restart: "Start the component again",
    "restart-changes": "Its pods are replaced by new ones that read the CA afresh.",
    ready: "Every component that could be read is ready or says nothing of the API server's certificate.",
  },
  run({ logs, pods, deployments, webhooks }) {
    const problems = pods
      .filter((pod) => !isPodReady(pod))
      .flatMap((pod) => {
        const { name, namespace = "" } = pod.metadata;
        const found = logs
          .filter((log) => log.pod === name && log.namespace === namespace)
          .flatMap((log) => {
            const line = log.lines.findLast((one) => refused.test(one));
            return line === undefined ? [] : [{ log, line }];
          })[0];
        if (!found) return [];
        const { install, deployment } = installOfPod(pod, deployments);
        const subject = { kind: "Pod", namespace, name };
        return [
          {
            key: "untrusting" as const,
            values: { name, namespace, why: refused.exec(found.line)?.groups?.why ?? "" },
            severity: severityWithoutPod(pod, pods, webhooks),
            subject,
            component: componentOf(pod, pod.spec.containers),
            install: install?.namespace ?? namespace,
            evidence: [{ object: subject, path: `log/${found.log.container}`, value: found.line }],
            fix: [
              {
                title: { key: "compare" as const },
                for: "kubectl" as const,
                command: `kubectl -n ${namespace} get configmap ${rootCa} -o jsonpath='{.data.ca\\.crt}' | openssl x509 -noout -subject -dates -fingerprint -sha256\nkubectl config view --raw --minify --flatten -o jsonpath='{.clusters[0].cluster.certificate-authority-data}' | base64 -d | openssl x509 -noout -subject -dates -fingerprint -sha256`,
                effect: "none" as const,
              },
              {
                title: { key: "renew" as const },
                for: "kubectl" as const,
                command: `kubectl -n ${namespace} delete configmap ${rootCa}`,
                effect: "cluster" as const,
                changes: { key: "renew-changes" as const, values: { namespace } },
              },
              ...(deployment
                ? [
                    {
                      title: { key: "restart" as const },
                      for: "kubectl" as const,
                      command: restart(namespace, deployment.metadata.name),
                      effect: "cluster" as const,
                      changes: { key: "restart-changes" as const },
                    },
                  ]
                : []),
            ],
          },
        ];
      });
    if (problems.length === 0) return { status: "not-applicable", because: { key: "ready" } };
    return { status: "fail", problems, because: [{ key: "client" }], ruledOut: [{ check: "ca-bundle-mismatch", key: "not-bundle" }] };
  },
});
