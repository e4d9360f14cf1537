import type { Deployment, Pod } from "../model/kubernetes.ts";

/** A service mesh whose sidecar takes a pod's connections, and the annotation that keeps it away from a port. */
export interface Mesh {
  readonly name: string;
  readonly container: string;
  readonly annotation: string;
}

const meshes: readonly Mesh[] = [
  { name: "Istio", container: "istio-proxy", annotation: "traffic.sidecar.istio.io/excludeInboundPorts" },
  { name: "Linkerd", container: "linkerd-proxy", annotation: "config.linkerd.io/skip-inbound-ports" },
];

/** The mesh that has a sidecar in the pod and isn't told to leave the port alone, with the sidecar's place in the pod. */
export function meshOf(pod: Pod, port: number): (Mesh & { readonly path: string }) | undefined {
  const places = [
    ["containers", pod.spec.containers],
    ["initContainers", pod.spec.initContainers ?? []],
  ] as const;
  for (const mesh of meshes) {
    if (skipped(pod.metadata.annotations?.[mesh.annotation]).includes(String(port))) continue;
    for (const [field, containers] of places) {
      const index = containers.findIndex((container) => container.name === mesh.container);
      if (index >= 0) return { ...mesh, path: `spec.${field}[${index}].name` };
    }
  }
  return undefined;
}

/** `kubectl patch` that annotates the Deployment's pods so that the mesh leaves the port alone. */
export function bypassMesh({ metadata }: Deployment, { annotation }: Mesh, port: number): string {
  const patch = { spec: { template: { metadata: { annotations: { [annotation]: String(port) } } } } };
  return `kubectl -n ${metadata.namespace} patch deployment ${metadata.name} -p '${JSON.stringify(patch)}'`;
}

function skipped(ports: string | undefined): readonly string[] {
  return (ports ?? "").split(",").map((port) => port.trim());
}
