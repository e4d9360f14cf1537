import { isTunnelAgent } from "../kube/control-plane.ts";
import { isPodReady } from "../kube/readiness.ts";
import type { Pod } from "../model/kubernetes.ts";

/** The tunnel by which a control plane elsewhere reaches the cluster: its agents, and whether none of them is ready. */
export interface Tunnel {
  readonly agents: readonly Pod[];
  readonly down: boolean;
}

/** Reads it from the control plane's pods; without agents there is no tunnel. */
export function tunnelOf(controlPlanePods: readonly Pod[]): Tunnel {
  const agents = controlPlanePods.filter(isTunnelAgent);
  return { agents, down: agents.length > 0 && !agents.some(isPodReady) };
}
