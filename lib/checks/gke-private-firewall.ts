import { lostWay, wayNeeds, wayUses } from "../derive/lost-way.ts";
import { providerEvidence } from "../derive/provider-evidence.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { setValues } from "../kube/chart-values.ts";
import { cloudNodeOf } from "../kube/cloud-node.ts";
import { declaredPortPath, kubeletPort, movePort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence } from "../model/check.ts";

export default defineCheck({
  id: "gke-private-firewall",
  area: "platform",
  severity: "blocker",
  needs: [...wayNeeds],
  uses: [...wayUses],
  causedBy: [],
  sources: [
    "catalogue 1.8 gke-private-firewall",
    "catalogue 0.7.10",
    "https://cert-manager.io/docs/installation/compatibility/",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://cloud.google.com/kubernetes-engine/docs/how-to/private-clusters",
  ],
  strings: {
    title: "GKE firewall closed to the webhook's port",
    headline: "*No Certificate or Issuer can be created or changed:* calls to cert-manager's webhook are lost, most likely to GKE's firewall.",
    why: "GKE's control plane is in a network of Google's. Between it and private nodes a firewall rule opens ports 443 and 10250 only. What counts is the port of the webhook's pod, not the 443 of its Service. A Shared VPC, a rule that denies more, or a deleted rule closes 10250 as well.",
    port: "The API server's call to {target} got no answer, and the webhook's pod listens on port {port}. GKE opens 443 and 10250.",
    rule: "The API server's call to {target} got no answer at port {port}, which GKE opens unless its rule was deleted or another one denies it.",
    ready: "The webhook's pods are ready, and nothing in the cluster stands between them and the API server. The firewall itself can't be seen from within.",
    "no-policy": "No network policy selects the webhook's pods.",
    back: "Move the webhook back to the port that GKE opens",
    "back-changes": "The webhook's pods are replaced by new ones that listen on port 10250. Calls fail until they are ready, as they do now.",
    "back-undo": "The same step with port {port} takes it back.",
    look: "List the firewall rules that apply to the node",
    open: "Open port {port} from the control plane to the nodes",
    "open-changes": "A firewall rule is added that lets the addresses of the control plane reach port {port} of the cluster's nodes and pods.",
    "open-undo": "Delete the rule `$TAG-cert-manager-webhook` again.",
    elsewhere: "No call was lost before a cluster of GKE's, or something else explains it.",
  },
  run(facts) {
    const way = lostWay("gke-private-firewall", facts);
    if ("status" in way) return way;
    const { made, called, port, nodes } = way;
    const { install, webhook } = called;
    const oddPort = port !== kubeletPort && port !== 443;
    const node = nodes.map(cloudNodeOf).find((one) => one?.cloud === "gce");
    const evidence: readonly Evidence[] = [
      made.evidence,
      { object: { kind: "Deployment", namespace: install.namespace, name: webhook.metadata.name }, path: declaredPortPath(webhook), value: String(port) },
      ...providerEvidence(nodes),
    ];
    const gcloud = { for: "kubectl" as const };
    const tag =
      node?.cloud === "gce"
        ? `TAG=$(gcloud compute instances describe ${node.instance} --project=${node.project} --zone=${node.zone} --format='value(tags.items[0])')`
        : "";
    const rules = (what: string, format: string) =>
      `gcloud compute firewall-rules list --project=${node?.cloud === "gce" ? node.project : ""} --filter="${what}targetTags.list():$TAG" --format='${format}'`;
    return {
      status: "fail",
      problems: [
        {
          key: oddPort ? "port" : "rule",
          values: { target: targetOf(made.call), port },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          evidence,
          fix: [
            ...(oddPort
              ? setValues(
                  install,
                  { title: { key: "back" as const }, changes: { key: "back-changes" as const }, undo: { key: "back-undo" as const, values: { port } } },
                  { webhook: { securePort: kubeletPort } },
                  movePort(webhook, kubeletPort),
                )
              : []),
            ...(node
              ? [
                  {
                    ...gcloud,
                    title: { key: "look" as const },
                    command: `${tag}\n${rules("direction=INGRESS AND ", "table(name,priority,sourceRanges.list(),allowed[].map().firewall_rule().list(),denied[].map().firewall_rule().list())")}`,
                    effect: "none" as const,
                  },
                  {
                    ...gcloud,
                    title: { key: "open" as const, values: { port } },
                    command: [
                      tag,
                      `RANGES=$(${rules("name~-master$ AND ", "value(sourceRanges.list())")})`,
                      `NETWORK=$(${rules("name~-master$ AND ", "value(network.basename())")})`,
                      `gcloud compute firewall-rules create "$TAG-cert-manager-webhook" --project=${node.cloud === "gce" ? node.project : ""} --network="$NETWORK" --direction=INGRESS --source-ranges="$RANGES" --target-tags="$TAG" --allow=tcp:${port}`,
                    ].join("\n"),
                    effect: "cluster" as const,
                    changes: { key: "open-changes" as const, values: { port } },
                    undo: { key: "open-undo" as const },
                    instead: oddPort,
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "ready" }],
      ruledOut: [{ check: "networkpolicy-blocks-webhook", key: "no-policy" }],
    };
  },
});
