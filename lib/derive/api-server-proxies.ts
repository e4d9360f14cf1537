import { isApiServer } from "../kube/control-plane.ts";
import type { WebhookCall } from "../kube/error-text.ts";
import { proxyFor } from "../kube/proxy-env.ts";
import type { Evidence } from "../model/check.ts";
import type { Pod } from "../model/kubernetes.ts";

/** An API server that sends its calls to the webhook through a proxy. */
export interface ProxiedApiServer {
  readonly pod: Pod;
  readonly proxy: string;
  readonly evidence: readonly Evidence[];
}

/** The API servers whose environment sends this call through a proxy. They are seen only where they run as pods. */
export function apiServerProxies(controlPlanePods: readonly Pod[], { service, namespace }: WebhookCall): readonly ProxiedApiServer[] {
  if (!service || !namespace) return [];
  return controlPlanePods.filter(isApiServer).flatMap((pod) => {
    const { env = [] } = pod.spec.containers.find(({ name }) => name === "kube-apiserver") ?? pod.spec.containers[0] ?? {};
    const found = proxyFor(`${service}.${namespace}.svc`, env);
    if (!found) return [];
    const object = { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name };
    const exceptions = env.find(({ name }) => /^no_proxy$/i.test(name));
    const path = (variable: string) => `spec.containers[*].env[?(@.name=="${variable}")].value`;
    return [
      {
        pod,
        proxy: found.proxy,
        evidence: [
          { object, path: path(found.variable), value: found.proxy },
          { object, path: path(exceptions?.name ?? "NO_PROXY"), value: exceptions?.value ?? null },
        ],
      },
    ];
  });
}
