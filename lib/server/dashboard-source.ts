import "server-only";
import { hasKubeconfig, isInCluster, type KubeconfigChoice } from "../cluster/kubeconfig.ts";

/** What the dashboard was started on. */
export type DashboardSource =
  | { readonly kind: "demo" }
  | { readonly kind: "bundle"; readonly path: string }
  | ({ readonly kind: "cluster" } & KubeconfigChoice);

/** The choice made on the command line (`npm start -- …`); without one, the kubeconfig or the pod's own cluster, else the demo clusters. */
export function dashboardSource(env = process.env): DashboardSource {
  if (env.CERTMEDIC_SOURCE) return JSON.parse(env.CERTMEDIC_SOURCE) as DashboardSource;
  return hasKubeconfig({}) || isInCluster() ? { kind: "cluster" } : { kind: "demo" };
}
