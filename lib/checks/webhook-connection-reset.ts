import { calledWebhook } from "../derive/called-webhook.ts";
import { claimCall, failsNowAndThen } from "../derive/claim-call.ts";
import { meshInFront, meshStrings } from "../derive/mesh-bypass.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { roleOf, roleStrings } from "../derive/webhook-role.ts";
import { reachPod } from "../kube/reach-pod.ts";
import { isReady } from "../kube/readiness.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import type { Pod } from "../model/kubernetes.ts";

const reset = /(?:read|write) tcp \S+: (?:read: connection reset by peer|write: (?:connection reset by peer|broken pipe))/;
const patterns: readonly Pattern[] = [
  { in: "webhook-call", text: reset },
  { in: "webhook-call", text: /(?:^|(?<!proxyconnect tcp): )(?:unexpected EOF|EOF|http: server closed idle connection)(?!\w)/ },
];

export default defineCheck({
  id: "webhook-connection-reset",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods"],
  causedBy: ["webhook-no-endpoints", "pod-oomkilled", "pod-crashloop", "webhook-service-port-mismatch", "apiserver-egress-proxy", "serving-cert-from-mesh"],
  patterns,
  sources: ["catalogue 1.8 webhook-connection-reset", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Connections to the webhook broken off",
    headline: "*No Certificate or Issuer can be created or changed,* because connections to cert-manager's webhook are broken off before there is an answer.",
    sometimes: "*Some requests for cert-manager's kinds fail,* because connections to its webhook are broken off now and then.",
    why: "A connection was made and then ended from the other side. That happens for a moment while the webhook's pods are replaced, or when one of them is killed. Where it stays, something between the two ends the connections: a service mesh, a load balancer, or a firewall that looks into them.",
    ignore: "While the webhook is rolled out, and for some seconds after it, this is normal.",
    ...roleStrings,
    ...meshStrings,
    reset: "The API server's connection to {target} was reset.",
    closed: "The API server's connection to {target} was closed without an answer.",
    restarted: {
      text: "The API server's connection to {target} was broken off, and the webhook's pod {pod} has been restarted {count, plural, one {once} other {# times}}.",
      note: "{count} is how often a container was started again",
    },
    running: "The webhook's pods are ready and were never restarted, so the connections are ended on the way to them.",
    "not-dropped": "A connection was made. Where packets are dropped, there is none.",
    "not-refused": "The connection was taken first; a refusal comes before that.",
    pods: "See since when the webhook's pods run",
    previous: "Read how the webhook ended last time",
    reach: "Reach the webhook's pod past its Service: any answer, also “not found”, means that the pod itself keeps connections",
    unseen: "The API server didn't get as far as a connection to cert-manager's webhook.",
  },
  run({ apiProbe, reportedErrors, deployments, pods }) {
    const { made, verdict } = claimCall({ apiProbe, reportedErrors }, patterns, "connected", "unseen");
    if (!made) return verdict;
    const { call } = made;
    const called = calledWebhook(call, { deployments, pods });
    const mesh = meshInFront(called);
    const [restarted] = called.pods.flatMap(restarts);
    const [pod] = called.pods;
    const isRunning = called.webhook !== undefined && isReady(called.webhook) && called.pods.length > 0 && !restarted;
    const sometimes = failsNowAndThen(made, apiProbe);
    const look = (key: "pods" | "previous" | "reach", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
    return {
      status: "fail",
      problems: [
        {
          key: restarted ? "restarted" : reset.test(call.reason) ? "reset" : "closed",
          values: { target: targetOf(call), pod: restarted?.evidence.object.name ?? "", count: restarted?.count ?? 0 },
          severity: sometimes ? "degraded" : "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          transient: true,
          evidence: [made.evidence, ...(restarted ? [restarted.evidence] : []), ...mesh.evidence],
          fix: [
            ...mesh.fix,
            ...(call.namespace ? [look("pods", `kubectl -n ${call.namespace} get pods -l app.kubernetes.io/component=webhook -o wide`)] : []),
            ...(restarted
              ? [look("previous", `kubectl -n ${call.namespace} logs ${restarted.evidence.object.name} -c ${restarted.container} --previous --tail=50`)]
              : []),
            ...(pod ? [look("reach", reachPod(pod, declaredPort(called.webhook) ?? kubeletPort))] : []),
          ],
        },
      ],
      ...(sometimes ? { headline: { key: "sometimes" as const } } : {}),
      because: [...(isRunning ? [{ key: "running" as const }] : []), ...mesh.because, ...roleOf(call)],
      ruledOut: [
        { check: "webhook-io-timeout", key: "not-dropped" },
        { check: "webhook-connection-refused", key: "not-refused" },
      ],
    };
  },
});

/** The containers of a pod that were started more than once. */
function restarts({ metadata, status }: Pod): readonly { readonly container: string; readonly count: number; readonly evidence: Evidence }[] {
  return (status?.containerStatuses ?? []).flatMap(({ name, restartCount = 0 }, index) =>
    restartCount > 0
      ? [
          {
            container: name,
            count: restartCount,
            evidence: {
              object: { kind: "Pod", namespace: metadata.namespace, name: metadata.name },
              path: `status.containerStatuses[${index}].restartCount`,
              value: String(restartCount),
            },
          },
        ]
      : [],
  );
}
