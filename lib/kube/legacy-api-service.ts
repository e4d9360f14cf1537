import type { ApiService } from "../model/kubernetes.ts";

/** Whether a webhook of cert-manager 0.13 or older stands behind it, which was called through the API server's aggregation. */
export function isLegacyApiService({ metadata, spec }: ApiService): boolean {
  return (
    spec?.service !== undefined &&
    spec.service !== null &&
    /^v\w+\.(?:webhook\.cert-manager\.io|(?:admission|webhook)\.certmanager\.k8s\.io)$/.test(metadata.name)
  );
}
