import { stringify } from "yaml";

/** Who wants to approve CertificateRequests, and for which issuer. */
export interface Approval {
  readonly user: string;
  readonly name: string;
  readonly kind: string;
  readonly group: string;
}

/** The name of the role that `allowApproval` makes. */
export function approverRole({ kind, name }: Approval): string {
  return `approve-${kind.toLowerCase()}-${name}`;
}

/** Gives the right to approve. It is one on `signers`, which exist in RBAC alone, so `kubectl create clusterrole` doesn't know them. */
export function allowApproval(approval: Approval): string {
  const { user, name, kind, group } = approval;
  const role = approverRole(approval);
  const apiGroup = "rbac.authorization.k8s.io";
  const account = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/.exec(user)?.groups;
  // A namespaced issuer is named with its namespace, which the webhook's refusal leaves out.
  const signer = `${kind.toLowerCase()}s.${group}/${kind.startsWith("Cluster") ? name : "*"}`;
  const objects = [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRole",
      metadata: { name: role },
      rules: [{ apiGroups: ["cert-manager.io"], resources: ["signers"], verbs: ["approve"], resourceNames: [signer] }],
    },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: role },
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects: [account ? { kind: "ServiceAccount", ...account } : { apiGroup, kind: "User", name: user }],
    },
  ];
  return `kubectl apply -f - <<'EOF'\n${objects.map((object) => stringify(object)).join("---\n")}EOF`;
}
