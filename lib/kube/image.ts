import type { Component } from "../model/check.ts";

/** An image reference, taken apart. */
export interface ImageReference {
  /** The host to ask, e.g. `quay.io`. */
  readonly registry: string;
  /** The path at that host, e.g. `jetstack/cert-manager-webhook`. */
  readonly repository: string;
  /** The last part of the path. */
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

/** Takes `quay.io/jetstack/cert-manager-webhook:v1.21.1` apart; without a host it is Docker Hub's, as runtimes have it. */
export function readImage(image: string): ImageReference {
  const [reference = "", digest = ""] = image.split("@");
  const slash = reference.indexOf("/");
  const first = slash < 0 ? "" : reference.slice(0, slash);
  const hasHost = /[.:]/.test(first) || first === "localhost";
  const [repository = "", tag = ""] = (hasHost ? reference.slice(slash + 1) : reference).split(":");
  return { registry: hasHost ? first : "docker.io", repository, name: repository.slice(repository.lastIndexOf("/") + 1), tag, digest };
}

/** Where cert-manager's own images are published (catalogue table c). */
export const upstream = { registry: "quay.io", path: "jetstack" } as const;

const names = ["controller", "webhook", "cainjector", "acmesolver", "startupapicheck", "ctl"].map((name) => `cert-manager-${name}`);

/** Whether quay.io has a repository of this name for cert-manager. */
export function isPublished(image: ImageReference): boolean {
  return image.registry === upstream.registry && names.some((name) => image.repository === `${upstream.path}/${name}`);
}

/** The repository that a component's image is published in. */
export function upstreamRepository(component: Component): string {
  return `${upstream.registry}/${upstream.path}/cert-manager-${component}`;
}
