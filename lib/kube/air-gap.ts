import type { ChartValues } from "./chart-values.ts";
import { upstream } from "./image.ts";
import { versionNumbers } from "./version.ts";

/** Where a site keeps its copies: `harbor.example.local` and `cert-manager`. */
export interface Mirror {
  readonly registry: string;
  readonly path: string;
}

/** The chart values that take all images from a mirror (catalogue 1.13 airgap-image-list-incomplete). */
export function mirrorValues(version: string, { registry, path }: Mirror): ChartValues {
  if (minorOf(version) >= 20) return { imageRegistry: registry, imageNamespace: path };
  const image = (name: string) => ({ repository: `${registry}/${path}/cert-manager-${name}` });
  return {
    image: image("controller"),
    webhook: { image: image("webhook") },
    cainjector: { image: image("cainjector") },
    acmesolver: { image: image("acmesolver") },
    startupapicheck: { image: image(jobImage(version)) },
  };
}

/** Copies the five images with all their architectures, from a machine that reaches both registries. */
export function copyImages(version: string, { registry, path }: Mirror): string {
  const images = ["controller", "webhook", "cainjector", "acmesolver", jobImage(version)];
  return [
    `for image in ${images.join(" ")}; do`,
    `  skopeo copy --all docker://${upstream.registry}/${upstream.path}/cert-manager-$image:${version} docker://${registry}/${path}/cert-manager-$image:${version}`,
    "done",
  ].join("\n");
}

/** The image of the API check after an install: renamed in 1.14 (catalogue table c). */
function jobImage(version: string): string {
  return minorOf(version) >= 14 ? "startupapicheck" : "ctl";
}

/** An unknown version counts as old: its way of naming images works in all of them. */
function minorOf(version: string): number {
  return versionNumbers(version)?.[1] ?? 0;
}
