import type { Pod } from "../model/kubernetes.ts";

/**
 * Has the API server itself talk to a pod's TLS port, past Service and admission and without looking at the certificate. Any
 * answer, also that nothing was found there, has come the whole way.
 */
export function reachPod({ metadata: { namespace, name } }: Pod, port: number): string {
  return `kubectl get --raw /api/v1/namespaces/${namespace}/pods/https:${name}:${port}/proxy/`;
}
