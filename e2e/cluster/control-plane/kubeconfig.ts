import { contextName } from "./layout.ts";

/** One cluster, one user, one context. */
export function kubeconfig(server: string, ca: string, token: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": contextName,
    clusters: [{ name: contextName, cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
    users: [{ name: contextName, user: { token } }],
    contexts: [{ name: contextName, context: { cluster: contextName, user: contextName } }],
  });
}
