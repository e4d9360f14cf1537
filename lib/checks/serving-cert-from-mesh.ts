import { calledWebhook } from "../derive/called-webhook.ts";
import { meshInFront, meshStrings } from "../derive/mesh-bypass.ts";
import { targetOf, webhookCall } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { matchesAny } from "../kube/error-text.ts";
import { meshOfNamespace } from "../kube/mesh-namespace.ts";
import { stageOf } from "../kube/webhook-failure.ts";
import { defineCheck, type Evidence, type Pattern } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

const patterns: readonly Pattern[] = [{ in: "webhook-call", text: /x509: certificate is not valid for any names, but wanted to match (?<wanted>[^\s"]+)/ }];
const ambientLabel = { "istio.io/dataplane-mode": "none" };

export default defineCheck({
  id: "serving-cert-from-mesh",
  area: "platform",
  severity: "blocker",
  needs: [],
  uses: ["apiProbe", "reportedErrors", "deployments", "pods", "namespaces"],
  causedBy: [],
  patterns,
  sources: [
    "catalogue 1.7 serving-cert-from-mesh",
    "https://github.com/cert-manager/cert-manager/issues/7059",
    "https://istio.io/latest/docs/ops/deployment/application-requirements/",
    "https://linkerd.io/2-edge/reference/proxy-configuration/",
  ],
  strings: {
    ...meshStrings,
    title: "Service mesh in front of the webhook",
    headline: "*No Certificate or Issuer can be created or changed,* because a service mesh answers the API server in the place of cert-manager's webhook.",
    why: "A mesh's proxy presents a certificate of the mesh, which names a workload and no host. The API server isn't part of the mesh: it expects the webhook's own certificate, for the name of its Service.",
    unnamed:
      "The API server called {target} and got a certificate without any host name, as proxies of service meshes have. No sign of a mesh was found on the webhook's pods or their namespace.",
    member: {
      text: "The API server called {target} and got a certificate without any host name: the one of {mesh}'s proxy.",
      note: "{mesh} is a service mesh: Istio or Linkerd",
    },
    "by-name": "The webhook's own certificate names its Service; this one names nothing that the API server could compare.",
    "not-ca": "Names are compared before issuers are, so that the CA bundle wasn't even looked at.",
    "not-kubelet": "A kubelet's certificate names its node.",
    ambient: "Keep the mesh away from the webhook's pods",
    "ambient-changes": "The webhook's pods are replaced by new ones that aren't part of the mesh.",
    "ambient-undo": "Remove the label `istio.io/dataplane-mode` from the webhook's pods again.",
    look: "See who is in front of the webhook",
    unseen: "The API server's call didn't end with a certificate.",
  },
  run({ apiProbe, reportedErrors, deployments, pods, namespaces }) {
    const made = webhookCall({ apiProbe, reportedErrors });
    if (made.outcome === "unknown") return { status: "needs", fact: "apiProbe" };
    if (made.outcome === "answered") return { status: "pass" };
    if (made.outcome === "not-called") return { status: "not-applicable", because: { key: "unseen" } };
    const { call, message } = made;
    const called = calledWebhook(call, { deployments, pods });
    const { install, webhook } = called;
    const sidecar = meshInFront(called);
    const namespace = (knownValue(namespaces) ?? []).find(({ ref }) => ref.name === call.namespace);
    const asked = namespace?.object ? meshOfNamespace(namespace.object) : undefined;
    if (!matchesAny(message, patterns)) {
      const certificateSeen = stageOf(call.reason) === "connected" && call.reason.includes("x509: ");
      return certificateSeen ? { status: "pass" } : { status: "not-applicable", because: { key: "unseen" } };
    }
    const mesh = sidecar.because[0]?.values?.mesh ?? asked?.name;
    const evidence: readonly Evidence[] = [
      ...sidecar.evidence,
      ...(namespace && asked ? [{ object: namespace.ref, path: asked.path, value: asked.value }] : []),
    ];
    return {
      status: "fail",
      problems: [
        {
          key: mesh ? "member" : "unnamed",
          values: { target: targetOf(call), mesh: mesh ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: call.namespace,
          evidence: [made.evidence, ...evidence],
          fix: [
            ...sidecar.fix,
            ...(install && webhook && asked?.ambient && sidecar.fix.length === 0
              ? setValues(
                  install,
                  { title: { key: "ambient" as const }, changes: { key: "ambient-changes" as const }, undo: { key: "ambient-undo" as const } },
                  { webhook: { podLabels: ambientLabel } },
                  `kubectl -n ${install.namespace} patch deployment ${webhook.metadata.name} -p '${JSON.stringify({ spec: { template: { metadata: { labels: ambientLabel } } } })}'`,
                )
              : []),
            ...(call.namespace
              ? [
                  {
                    title: { key: "look" as const },
                    for: "kubectl" as const,
                    command: `kubectl get namespace ${call.namespace} --show-labels && kubectl -n ${call.namespace} get pods -l app.kubernetes.io/component=webhook -o custom-columns='NAME:.metadata.name,CONTAINERS:.spec.containers[*].name,ANNOTATIONS:.metadata.annotations'`,
                    effect: "none" as const,
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "by-name" }, ...sidecar.because],
      ruledOut: [
        { check: "ca-bundle-mismatch", key: "not-ca" },
        { check: "serving-cert-is-kubelet", key: "not-kubelet" },
      ],
    };
  },
});
