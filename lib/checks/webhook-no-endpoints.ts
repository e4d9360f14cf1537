import { type CalledService, calledServices } from "../derive/called-services.ts";
import { endpointGap, endpointsOf } from "../derive/endpoints.ts";
import { installs } from "../derive/installs.ts";
import { webhookCall } from "../derive/webhook-call.ts";
import { reapply, restart } from "../kube/commands.ts";
import type { Install } from "../kube/install.ts";
import { mismatches, selectorText } from "../kube/label-selector.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";
import type { EndpointSlice, Service } from "../model/kubernetes.ts";
import { startFailures } from "./start-failures.ts";

export default defineCheck({
  id: "webhook-no-endpoints",
  area: "webhook-reachability",
  severity: "blocker",
  needs: ["webhooks", "webhookServices", "endpointSlices"],
  uses: ["deployments", "pods", "apiProbe", "reportedErrors"],
  causedBy: [
    ...startFailures,
    "webhook-tls-files-problem",
    "ca-secret-invalid",
    "webhook-not-ready-500",
    "webhook-probe-port-mismatch",
    "ca-secret-missing",
    "webhook-config-wrong-target",
    "webhook-duplicate-configs",
    "ca-secret-rbac",
    "webhook-service-port-mismatch",
    "etcd-quota",
  ],
  patterns: [{ in: "webhook-call", text: /no endpoints available for service|endpoints "[^"]*" not found/ }],
  sources: ["catalogue 1.8 webhook-no-endpoints", "https://cert-manager.io/docs/troubleshooting/webhook/"],
  strings: {
    title: "Webhook without endpoints",
    headline: "*No Certificate or Issuer can be created or changed,* because no running webhook stands behind its Service.",
    why: "The API server sends each create and update of cert-manager's kinds to the webhook's Service. A Service passes calls on to ready pods only; with none of them every request is refused. Certificates that were issued keep working until they expire.",
    ignore: "For about half a minute after an install or a restart of a single webhook pod this is normal.",
    unready: {
      text: "Service {service} in namespace {namespace} has no ready endpoint: none of the webhook's pods is ready.",
      note: "Service is the Kubernetes kind; ready is the pod condition Ready",
    },
    unselected: {
      text: "Service {service} in namespace {namespace} has no endpoint, because it doesn't select the pod {pod}, which is ready.",
      note: "Service is the Kubernetes kind",
    },
    unpublished: {
      text: "Service {service} in namespace {namespace} has no endpoint, although the pod {pod} is ready and selected: the control plane doesn't publish it.",
      note: "Service is the Kubernetes kind",
    },
    empty: {
      text: "Service {service} in namespace {namespace} has no ready endpoint.",
      note: "Service is the Kubernetes kind; said where the pods couldn't be read",
    },
    exists: "The Service itself is there; it has nothing to lead to.",
    describe: "See why the webhook's pods aren't ready",
    logs: "Read what the webhook says",
    restart: "Start the webhook again",
    "restart-changes": "A new webhook pod replaces the old one. Nothing is lost: it keeps no state but its CA Secret, which stays.",
    labels: "Compare the labels of the webhook's pods",
    restore: "Put selector and labels back",
    "restore-changes":
      "The manifest of the same version is applied again, so that Service and pods agree. Changes made by hand to cert-manager's own objects are undone; Certificates and Secrets stay as they are.",
    controllers: "See whether the control plane is healthy",
    none: "No registration calls a Service that has endpoints of its own.",
  },
  run({ webhooks, webhookServices, endpointSlices, deployments, pods, apiProbe, reportedErrors }) {
    // What an ExternalName leads to isn't in the cluster; a Service that is absent is another failure mode.
    const judged = calledServices({ webhooks, webhookServices }).flatMap(({ service, ref }) =>
      service && service.spec?.type !== "ExternalName" ? [{ service, ref }] : [],
    );
    if (judged.length === 0) return { status: "not-applicable", because: { key: "none" } };
    const found = installs({ deployments: knownValue(deployments) ?? [] });
    const seen = knownValue(pods);
    const made = webhookCall({ apiProbe, reportedErrors });
    const problems = judged.flatMap(({ service, ref }) => {
      const { slices, ready } = endpointsOf(service, { endpointSlices });
      if (ready > 0) return [];
      const { namespace, name } = ref;
      const install = found.find((one) => one.namespace === namespace && one.components.webhook);
      const webhook = install?.components.webhook;
      const selector = service.spec?.selector;
      // Without a selector somebody writes the endpoints by hand, and pods tell nothing.
      const gap = seen && selector ? endpointGap(service, { pods: seen }) : undefined;
      const key = gap?.reason ?? ("empty" as const);
      const about = made.outcome === "failed" && made.call.service === name && made.call.namespace === namespace ? [made.evidence] : [];
      const drift: readonly Evidence[] =
        gap?.reason === "unselected" && gap.pod
          ? mismatches(gap.pod.metadata.labels, selector ?? {}).flatMap((label) => [
              { object: ref, path: metadataPath("labels", label).replace("metadata.labels", "spec.selector"), value: selector?.[label] ?? null },
              {
                object: { kind: "Pod", namespace, name: gap.pod?.metadata.name ?? "" },
                path: metadataPath("labels", label),
                value: gap.pod?.metadata.labels?.[label] ?? null,
              },
            ])
          : [];
      const counts: readonly Evidence[] = webhook
        ? [
            {
              object: { kind: "Deployment", namespace, name: webhook.metadata.name },
              path: "status.readyReplicas",
              value: webhook.status?.readyReplicas === undefined ? null : String(webhook.status.readyReplicas),
            },
          ]
        : [];
      return [
        {
          key,
          values: { service: name, namespace, pod: gap?.pod?.metadata.name ?? "" },
          severity: "blocker" as const,
          subject: ref,
          component: "webhook" as const,
          install: namespace,
          transient: key !== "unselected" && (webhook?.spec.replicas ?? 1) > 0,
          evidence: [...sliceEvidence(ref, slices), ...drift, ...(key === "unready" ? counts : []), ...about],
          fix: key === "unselected" ? restoring(ref, install) : key === "unpublished" ? [controllers] : looking(service, webhook?.metadata.name),
        },
      ];
    });
    if (problems.length === 0) return { status: "pass" };
    return { status: "fail", problems, ruledOut: [{ check: "webhook-service-missing", key: "exists" }] };
  },
});

/** What the slices say; a Service without any shows their absence under its own name. */
function sliceEvidence(ref: CalledService["ref"], slices: readonly EndpointSlice[]): readonly Evidence[] {
  if (slices.length === 0) return [{ object: { kind: "EndpointSlice", namespace: ref.namespace, name: ref.name }, path: "metadata", value: null }];
  return slices.flatMap(({ metadata: { name }, endpoints }): readonly Evidence[] => {
    const object = { kind: "EndpointSlice", namespace: ref.namespace, name };
    if (!endpoints || endpoints.length === 0) return [{ object, path: "endpoints", value: null }];
    return endpoints.map((_, index) => ({ object, path: `endpoints[${index}].conditions.ready`, value: "false" }));
  });
}

const controllers = {
  title: { key: "controllers" as const },
  for: "kubectl" as const,
  command: "kubectl get --raw '/readyz?verbose' && kubectl -n kube-system get pods -l component=kube-controller-manager",
  effect: "none" as const,
};

function restoring({ namespace, name }: CalledService["ref"], install: Install | undefined) {
  const compare = {
    title: { key: "labels" as const },
    for: "kubectl" as const,
    command: `kubectl -n ${namespace} get service ${name} -o jsonpath='{.spec.selector}{"\\n"}' && kubectl -n ${namespace} get pods -l app.kubernetes.io/component=webhook --show-labels`,
    effect: "none" as const,
  };
  return [compare, ...(install ? reapply(install, { title: { key: "restore" as const }, changes: { key: "restore-changes" as const } }) : [])];
}

function looking(service: Service, deployment: string | undefined) {
  const namespace = service.metadata.namespace ?? "";
  const look = (key: "describe" | "logs", command: string) => ({ title: { key }, for: "kubectl" as const, command, effect: "none" as const });
  const selector = selectorText(service.spec?.selector ?? { "app.kubernetes.io/component": "webhook" });
  const describe = look("describe", `kubectl -n ${namespace} describe pods -l ${selector}`);
  if (!deployment) return [describe];
  return [
    describe,
    look("logs", `kubectl -n ${namespace} logs deployment/${deployment} --tail=50`),
    {
      title: { key: "restart" as const },
      for: "kubectl" as const,
      command: restart(namespace, deployment),
      effect: "cluster" as const,
      changes: { key: "restart-changes" as const },
    },
  ];
}
