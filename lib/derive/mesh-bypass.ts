import { setValues } from "../kube/chart-values.ts";
import { bypassMesh, meshOf } from "../kube/mesh.ts";
import { declaredPort, kubeletPort } from "../kube/webhook-port.ts";
import type { Evidence } from "../model/check.ts";
import type { FixStep } from "../model/fix.ts";
import type { Text } from "../model/text.ts";
import type { CalledWebhook } from "./called-webhook.ts";

/** What is said of a mesh in front of the webhook; for the `strings` of checks that offer to keep it away. */
export const meshStrings = {
  mesh: { text: "The webhook's pods carry the sidecar of {mesh}, which takes their connections.", note: "{mesh} is a service mesh: Istio or Linkerd" },
  bypass: { text: "Keep {mesh} away from the webhook's port", note: "{mesh} is a service mesh: Istio or Linkerd" },
  "bypass-changes":
    "The webhook's pods are replaced by new ones whose port {port} the mesh leaves alone. The API server isn't part of the mesh, and the webhook encrypts its port itself.",
  "bypass-undo": "Remove the annotation `{annotation}` from the webhook's pods again.",
} as const;

type MeshText = keyof typeof meshStrings;

interface MeshFound {
  readonly because: readonly Text<MeshText>[];
  readonly evidence: readonly Evidence[];
  readonly fix: readonly FixStep<MeshText>[];
}

/** The sidecar in the webhook's pods, if there is one, and the steps that keep it away from the webhook's port. */
export function meshInFront({ install, webhook, pods }: CalledWebhook): MeshFound {
  const port = declaredPort(webhook) ?? kubeletPort;
  const [found] = pods.flatMap((pod) => {
    const mesh = meshOf(pod, port);
    return mesh ? [{ pod, mesh }] : [];
  });
  if (!found) return { because: [], evidence: [], fix: [] };
  const { pod, mesh } = found;
  const values = { mesh: mesh.name };
  return {
    because: [{ key: "mesh", values }],
    evidence: [{ object: { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name }, path: mesh.path, value: mesh.container }],
    fix:
      install && webhook
        ? setValues(
            install,
            {
              title: { key: "bypass", values },
              changes: { key: "bypass-changes", values: { port } },
              undo: { key: "bypass-undo", values: { annotation: mesh.annotation } },
            },
            { webhook: { podAnnotations: { [mesh.annotation]: String(port) } } },
            bypassMesh(webhook, mesh, port),
          )
        : [],
  };
}
