import { lostWay, wayNeeds, wayUses } from "../derive/lost-way.ts";
import { pluginEvidence } from "../derive/plugin-evidence.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { defineCheck, type Evidence } from "../model/check.ts";
import { knownValue } from "../model/facts.ts";

export default defineCheck({
  id: "service-vip-unreachable-from-control-plane",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [...wayNeeds],
  uses: [...wayUses],
  causedBy: [],
  sources: [
    "catalogue 1.8 service-vip-unreachable-from-control-plane",
    "https://kubernetes.io/docs/tasks/extend-kubernetes/setup-konnectivity/",
    "https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/",
    "https://github.com/kubermatic/kubermatic/issues/8011",
  ],
  strings: {
    title: "Service address unknown to the control plane",
    headline:
      "*No Certificate or Issuer can be created or changed:* calls to cert-manager's webhook are lost, most likely because Service addresses lead nowhere where the API server runs.",
    why: "The API server dials the Service's address. Turning that into a pod's address is the work of kube-proxy, or of a network plugin in its place, on the machine that dials. A control plane outside of the cluster has neither, unless somebody put it there or calls go through a tunnel.",
    dialed:
      "The API server dialed {address}, which is the address of Service {target} itself, and got no answer. No node of this cluster carries the control plane, and no kube-proxy runs in it.",
    ready: "The webhook's pods are ready, and no policy keeps calls away from them.",
    "not-overlay": "The control plane isn't on nodes of this cluster, so no way between nodes is involved.",
    look: "See what stands in for kube-proxy",
    direct: "Where you start the API server yourself: add this flag, so that it dials pods instead of Services",
    "direct-changes":
      "The API server starts again and then calls webhooks and aggregated APIs at their pods' addresses. These must be routed from its machine.",
    "direct-undo": "Remove the flag from the same file.",
    elsewhere: "No call to a Service's own address was lost before a control plane outside of this cluster, or something else explains it.",
  },
  run(facts) {
    const way = lostWay("service-vip-unreachable-from-control-plane", facts);
    if ("status" in way) return way;
    const { made } = way;
    const service = (knownValue(facts.webhookServices) ?? []).find(({ ref }) => ref.namespace === made.call.namespace && ref.name === made.call.service);
    const address = service?.object?.spec?.clusterIP ?? "";
    const evidence: readonly Evidence[] = [
      made.evidence,
      ...(service ? [{ object: service.ref, path: "spec.clusterIP", value: address }] : []),
      { object: { kind: "DaemonSet", namespace: "kube-system", name: "kube-proxy" }, path: "metadata", value: null },
      ...pluginEvidence(facts.daemonSets),
    ];
    return {
      status: "fail",
      problems: [
        {
          key: "dialed",
          values: { target: targetOf(made.call), address },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          evidence,
          fix: [
            {
              title: { key: "look" },
              for: "kubectl",
              command: "kubectl get daemonsets -A && kubectl -n kube-system get configmap cilium-config -o yaml | grep -i kube-proxy",
              effect: "none",
            },
            {
              title: { key: "direct" },
              for: "kubectl",
              command: "sudo sed -i 's|^    - kube-apiserver$|&\\n    - --enable-aggregator-routing=true|' /etc/kubernetes/manifests/kube-apiserver.yaml",
              effect: "cluster",
              changes: { key: "direct-changes" },
              undo: { key: "direct-undo" },
            },
          ],
        },
      ],
      because: [{ key: "ready" }],
      ruledOut: [{ check: "overlay-firewall", key: "not-overlay" }],
    };
  },
});
