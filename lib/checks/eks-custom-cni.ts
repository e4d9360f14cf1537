import { lostWay, wayNeeds, wayUses } from "../derive/lost-way.ts";
import { pluginEvidence } from "../derive/plugin-evidence.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { listIngress, openIngress } from "../kube/aws-command.ts";
import { setValues } from "../kube/chart-values.ts";
import { cloudNodeOf } from "../kube/cloud-node.ts";
import { freePort, movePort } from "../kube/webhook-port.ts";
import { defineCheck, type Evidence } from "../model/check.ts";

export default defineCheck({
  id: "eks-custom-cni",
  area: "platform",
  severity: "blocker",
  needs: [...wayNeeds],
  uses: [...wayUses],
  causedBy: [],
  // What EKS says of an address that it doesn't dial for anybody.
  patterns: [{ in: "webhook-call", text: /^Address is not allowed/ }],
  sources: [
    "catalogue 1.8 eks-custom-cni",
    "catalogue 0.7.10",
    "https://cert-manager.io/docs/installation/compatibility/",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://github.com/cert-manager/cert-manager/issues/4902",
  ],
  strings: {
    title: "Pod network without EKS's control plane",
    headline:
      "*No Certificate or Issuer can be created or changed:* calls to cert-manager's webhook are lost, most likely because EKS's control plane has no part in the pod network.",
    why: "EKS's control plane calls webhooks at their pods' addresses. With Amazon's own network plugin these are addresses of the VPC. Another plugin gives pods addresses of its own network, which exist on the nodes alone, and the control plane is no node.",
    outside:
      "The API server's call to {target} got no answer. The webhook's pod has the address {address}, which isn't of its node's network, and Amazon's network plugin doesn't run.",
    ready: "The webhook's pods are ready, and nothing in the cluster stands between them and the API server.",
    "not-group": "A security group isn't asked about an address that the VPC doesn't know.",
    "host-network": "Put the webhook on its node's network",
    "host-network-changes":
      "The webhook's pods are replaced by new ones that listen on port 10260 of their node; port 10250 there is the kubelet's. The namespace must allow `hostNetwork`.",
    "host-network-undo": "The same step with `hostNetwork` false and port {port} takes it back.",
    groups: "See whether the node's security groups let port 10260 in",
    open: "Let the control plane reach port 10260 of the node",
    "open-changes": "The node's first security group gets a rule for TCP port 10260 from the cluster's security group.",
    "open-undo": "`aws ec2 revoke-security-group-ingress` with the same arguments.",
    elsewhere: "No call was lost before a cluster of EKS's with another network plugin, or something else explains it.",
  },
  run(facts) {
    const way = lostWay("eks-custom-cni", facts);
    if ("status" in way) return way;
    const { made, called, port, nodes } = way;
    const { install, webhook, pods } = called;
    const node = nodes.map(cloudNodeOf).find((one) => one?.cloud === "aws");
    const open = node?.cloud === "aws" ? openIngress(node, freePort) : undefined;
    const [pod] = pods;
    const evidence: readonly Evidence[] = [
      made.evidence,
      ...(pod
        ? [{ object: { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name }, path: "status.podIP", value: pod.status?.podIP ?? null }]
        : []),
      { object: { kind: "DaemonSet", namespace: "kube-system", name: "aws-node" }, path: "metadata", value: null },
      ...pluginEvidence(facts.daemonSets),
    ];
    return {
      status: "fail",
      problems: [
        {
          key: "outside",
          values: { target: targetOf(made.call), address: pod?.status?.podIP ?? "" },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          evidence,
          fix: [
            ...setValues(
              install,
              {
                title: { key: "host-network" as const },
                changes: { key: "host-network-changes" as const },
                undo: { key: "host-network-undo" as const, values: { port } },
              },
              { webhook: { hostNetwork: true, securePort: freePort } },
              movePort(webhook, freePort, { hostNetwork: true }),
            ),
            ...(node?.cloud === "aws"
              ? [{ title: { key: "groups" as const }, for: "kubectl" as const, command: listIngress(node), effect: "none" as const }]
              : []),
            ...(open
              ? [
                  {
                    title: { key: "open" as const },
                    for: "kubectl" as const,
                    command: open,
                    effect: "cluster" as const,
                    changes: { key: "open-changes" as const },
                    undo: { key: "open-undo" as const },
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "ready" }],
      ruledOut: [{ check: "eks-security-group", key: "not-group" }],
    };
  },
});
