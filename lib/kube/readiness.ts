import type { Deployment, Pod } from "../model/kubernetes.ts";

/** Whether as many pods are ready as are wanted, and at least one is. */
export function isReady(deployment: Deployment): boolean {
  const wanted = deployment.spec.replicas ?? 1;
  return wanted > 0 && (deployment.status?.readyReplicas ?? 0) >= wanted;
}

/** Whether some of its pods aren't ready: where it is ready all the same, a rollout doesn't get on. */
export function hasUnreadyPods(deployment: Deployment): boolean {
  return (deployment.status?.replicas ?? 0) > (deployment.status?.readyReplicas ?? 0);
}

/** Whether the pod's Ready condition is true. */
export function isPodReady(pod: Pod): boolean {
  return pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") ?? false;
}

const pullReasons = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable"];

/** Whether a container of the pod waits for its image. */
export function waitsForImage(pod: Pod): boolean {
  return pod.status?.containerStatuses?.some((status) => pullReasons.includes(status.state?.waiting?.reason ?? "")) ?? false;
}
