import { lostWay, wayNeeds, wayUses } from "../derive/lost-way.ts";
import { providerEvidence } from "../derive/provider-evidence.ts";
import { targetOf } from "../derive/webhook-call.ts";
import { listIngress, openIngress } from "../kube/aws-command.ts";
import { cloudNodeOf } from "../kube/cloud-node.ts";
import { defineCheck, type Evidence } from "../model/check.ts";

export default defineCheck({
  id: "eks-security-group",
  area: "platform",
  severity: "blocker",
  needs: [...wayNeeds],
  uses: [...wayUses],
  causedBy: [],
  sources: [
    "catalogue 1.8 eks-security-group",
    "https://cert-manager.io/docs/troubleshooting/webhook/",
    "https://docs.aws.amazon.com/eks/latest/userguide/sec-group-reqs.html",
  ],
  strings: {
    title: "EKS security group closed to the webhook's port",
    headline: "*No Certificate or Issuer can be created or changed:* calls to cert-manager's webhook are lost, most likely to a security group of EKS's nodes.",
    why: "EKS's control plane calls webhooks at their pods' addresses in the VPC. The security groups of the node, or of the pod where it has some, must let the webhook's port in from the cluster's security group. What counts is the port of the pod, not the 443 of its Service.",
    dropped: "The API server's call to {target} got no answer at port {port} of the webhook's pod.",
    ready: "The webhook's pods are ready, and nothing in the cluster stands between them and the API server. Security groups can't be seen from within.",
    "not-cni": "The webhook's pod has an address of the VPC, or is on its node's network.",
    look: "List what the security groups let in",
    open: "Let the control plane reach port {port}",
    "open-changes": "The node's first security group gets a rule for TCP port {port} from the cluster's security group.",
    "open-undo": "`aws ec2 revoke-security-group-ingress` with the same arguments.",
    elsewhere: "No call was lost before a cluster of EKS's, or something else explains it.",
  },
  run(facts) {
    const way = lostWay("eks-security-group", facts);
    if ("status" in way) return way;
    const { made, port, nodes } = way;
    const node = nodes.map(cloudNodeOf).find((one) => one?.cloud === "aws");
    const open = node?.cloud === "aws" ? openIngress(node, port) : undefined;
    const evidence: readonly Evidence[] = [made.evidence, ...providerEvidence(nodes)];
    return {
      status: "fail",
      problems: [
        {
          key: "dropped",
          values: { target: targetOf(made.call), port },
          severity: "blocker",
          subject: made.subject,
          component: "webhook",
          install: made.call.namespace,
          evidence,
          fix: [
            ...(node?.cloud === "aws"
              ? [{ title: { key: "look" as const }, for: "kubectl" as const, command: listIngress(node), effect: "none" as const }]
              : []),
            ...(open
              ? [
                  {
                    title: { key: "open" as const, values: { port } },
                    for: "kubectl" as const,
                    command: open,
                    effect: "cluster" as const,
                    changes: { key: "open-changes" as const, values: { port } },
                    undo: { key: "open-undo" as const },
                  },
                ]
              : []),
          ],
        },
      ],
      because: [{ key: "ready" }],
      ruledOut: [{ check: "eks-custom-cni", key: "not-cni" }],
    };
  },
});
