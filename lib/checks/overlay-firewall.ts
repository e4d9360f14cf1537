import { lostWay, wayNeeds, wayUses } from "../derive/lost-way.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { isControlPlaneNode } from "../kube/control-plane.ts";
import { metadataPath } from "../kube/metadata-path.ts";
import { overlayPorts } from "../kube/network-plugin.ts";
import { defineCheck, type Evidence } from "../model/check.ts";

const role = "node-role.kubernetes.io/control-plane";
const shown = 3;

export default defineCheck({
  id: "overlay-firewall",
  area: "webhook-reachability",
  severity: "blocker",
  needs: [...wayNeeds],
  uses: [...wayUses],
  causedBy: [],
  sources: [
    "catalogue 1.8 overlay-firewall",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/2811",
    "https://github.com/cert-manager/cert-manager/issues/3977",
    "https://github.com/flannel-io/flannel/issues/1511",
  ],
  strings: {
    title: "Pod network cut between nodes",
    headline: "*No Certificate or Issuer can be created or changed:* calls to cert-manager's webhook are lost, most likely by a firewall between the nodes.",
    why: "The API server runs on a node of the control plane and the webhook on another one. Between nodes the network plugin wraps packets in others, and a firewall on a node or between them that doesn't know these drops them. Everything else that the control plane calls on other nodes is hit too, such as metrics-server.",
    apart: "The API server's call to {target} got no answer. The webhook's pod is on {node}, which isn't a node of the control plane.",
    ready: "The webhook's pods are ready, and no policy keeps calls away from them.",
    "not-policy": "No network policy selects the webhook's pods.",
    look: "Compare the webhook's node with the control plane's, and look for others that can't be reached",
    near: "Try it on a node of the control plane: if that helps, the way between the nodes is what is cut",
    "near-changes": "The webhook's pods are replaced by new ones on a node of the control plane, which it may use also where that is reserved.",
    "near-undo": "Set `webhook.nodeSelector` and `webhook.tolerations` back the same way.",
    open: "On every node with firewalld: open the network plugin's ports",
    "open-changes": "firewalld lets the pod network's packets ({ports}) in from other nodes, now and after a restart.",
    "open-undo": "The same commands with `--remove-port` instead of `--add-port`.",
    elsewhere: "No call was lost between nodes of this cluster, or something else explains it.",
  },
  run(facts) {
    const way = lostWay("overlay-firewall", facts);
    if ("status" in way) return way;
    const { made, called, nodes } = way;
    const { install, webhook } = called;
    const ports = overlayPorts(facts.daemonSets);
    const evidence: readonly Evidence[] = [
      made.evidence,
      ...called.pods.slice(0, shown).map(({ metadata, spec }) => ({
        object: { kind: "Pod", namespace: metadata.namespace, name: metadata.name },
        path: "spec.nodeName",
        value: spec.nodeName ?? null,
      })),
      ...facts.nodes
        .filter(isControlPlaneNode)
        .slice(0, shown)
        .map(({ metadata }) => ({ object: { kind: "Node", name: metadata.name }, path: metadataPath("labels", role), value: metadata.labels?.[role] ?? null })),
    ];
    const scheduling = { nodeSelector: { "kubernetes.io/os": "linux", [role]: "" }, tolerations: [{ key: role, operator: "Exists", effect: "NoSchedule" }] };
    return {
      status: "fail",
      problems: [
        {
          key: "apart",
          values: { target: targetOf(made.call), node: nodes[0]?.metadata.name ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          evidence,
          fix: [
            {
              title: { key: "look" },
              for: "kubectl",
              command: `kubectl -n ${install.namespace} get pods -l app.kubernetes.io/component=webhook -o wide && kubectl get nodes -o wide && kubectl get apiservices | grep False`,
              effect: "none",
            },
            ...setValues(
              install,
              { title: { key: "near" as const }, changes: { key: "near-changes" as const }, undo: { key: "near-undo" as const } },
              { webhook: scheduling },
              `kubectl -n ${install.namespace} patch deployment ${webhook.metadata.name} -p '${JSON.stringify({ spec: { template: { spec: scheduling } } })}'`,
            ),
            {
              title: { key: "open" },
              for: "kubectl",
              command: `${ports.map((port) => `sudo firewall-cmd --permanent --add-port=${port}`).join("\n")}\nsudo firewall-cmd --reload`,
              effect: "cluster",
              changes: { key: "open-changes", values: { ports: ports.join(", ") } },
              undo: { key: "open-undo" },
            },
          ],
        },
      ],
      because: [{ key: "ready" }],
      ruledOut: [{ check: "networkpolicy-blocks-webhook", key: "not-policy" }],
    };
  },
});
