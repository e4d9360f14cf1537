/** Addresses of the test control plane, in a network namespace of its own: the usual ones of a cluster, reachable from nowhere else. */
export const addresses = {
  apiServer: { host: "127.0.0.1", port: 6443 },
  etcd: { host: "127.0.0.1", port: 2379 },
  node: "192.168.49.2",
  kubeletPort: 10250,
  services: "10.96.0.0/16",
  pods: "10.244.0.0/16",
} as const;

/** The API server's address for programs in its namespace. */
export const apiServerUrl = `https://${addresses.apiServer.host}:${addresses.apiServer.port}`;

/** What the addresses of all pods begin with. */
export const podPrefix = addresses.pods.split(".").slice(0, 2).join(".");

/** The name of the context in every kubeconfig of the test control plane. */
export const contextName = "certmedic-test";
export const nodeName = "node-1";

/** Who the tokens of the API server's token file stand for. */
export const users = {
  admin: { token: "admin-token", name: "admin", groups: "system:masters" },
  controllers: { token: "controllers-token", name: "system:kube-controller-manager", groups: "" },
  scheduler: { token: "scheduler-token", name: "system:kube-scheduler", groups: "" },
} as const;
