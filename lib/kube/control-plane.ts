import type { KubeObject, Node } from "../model/kubernetes.ts";

/** Whether a pod is an API server that the cluster itself shows, as kubeadm and its like run it. */
export function isApiServer({ metadata: { labels } }: KubeObject): boolean {
  return labels?.component === "kube-apiserver";
}

/** Whether a pod is an agent of the tunnel by which a control plane elsewhere reaches the cluster: konnectivity, or AKS's older tunnelfront. */
export function isTunnelAgent({ metadata: { labels } }: KubeObject): boolean {
  return labels?.["k8s-app"] === "konnectivity-agent" || labels?.app === "konnectivity-agent" || labels?.component === "tunnel";
}

/** Whether a node carries the control plane. */
export function isControlPlaneNode({ metadata: { labels = {} } }: Node): boolean {
  return "node-role.kubernetes.io/control-plane" in labels || "node-role.kubernetes.io/master" in labels;
}
