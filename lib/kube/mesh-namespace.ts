import type { KubeObject } from "../model/kubernetes.ts";
import { metadataPath } from "./metadata-path.ts";

/** What in a namespace makes its pods part of a mesh: labels or an annotation. */
export interface MeshSign {
  readonly name: "Istio" | "Linkerd";
  /** Whether the proxy is on the nodes and not in the pods. */
  readonly ambient: boolean;
  readonly path: string;
  readonly value: string;
}

/** The first sign of a mesh on a namespace. */
export function meshOfNamespace({ metadata: { labels = {}, annotations = {} } }: KubeObject): MeshSign | undefined {
  const mode = "istio.io/dataplane-mode";
  if (labels[mode] === "ambient") return { name: "Istio", ambient: true, path: metadataPath("labels", mode), value: "ambient" };
  if (labels["istio-injection"] === "enabled") return { name: "Istio", ambient: false, path: metadataPath("labels", "istio-injection"), value: "enabled" };
  const revision = labels["istio.io/rev"];
  if (revision) return { name: "Istio", ambient: false, path: metadataPath("labels", "istio.io/rev"), value: revision };
  const inject = annotations["linkerd.io/inject"];
  if (inject === "enabled") return { name: "Linkerd", ambient: false, path: metadataPath("annotations", "linkerd.io/inject"), value: inject };
  return undefined;
}
