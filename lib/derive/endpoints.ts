import { componentOf } from "../kube/install.ts";
import { isSelected } from "../kube/label-selector.ts";
import { isPodReady } from "../kube/readiness.ts";
import type { EndpointSlice, Pod, Service } from "../model/kubernetes.ts";

/** The slices of a Service, and how many of their endpoints are ready. */
export function endpointsOf(service: Service, { endpointSlices }: { readonly endpointSlices: readonly EndpointSlice[] }) {
  const { name, namespace } = service.metadata;
  const slices = endpointSlices.filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.["kubernetes.io/service-name"] === name);
  // The API means ready where it says nothing.
  const ready = slices.flatMap((slice) => (slice.endpoints ?? []).filter((endpoint) => endpoint.conditions?.ready !== false));
  return { slices, ready: ready.length };
}

/**
 * Why a Service has no ready endpoint, as far as pods tell: none of those that it selects is ready (`unready`), it doesn't select the
 * webhook pods that are ready (`unselected`), or it selects them and they still aren't published (`unpublished`).
 */
export function endpointGap(service: Service, { pods }: { readonly pods: readonly Pod[] }): { reason: "unready" | "unselected" | "unpublished"; pod?: Pod } {
  const selector = service.spec?.selector ?? {};
  const webhooks = pods.filter((pod) => pod.metadata.namespace === service.metadata.namespace && componentOf(pod, pod.spec.containers) === "webhook");
  const selected = webhooks.filter((pod) => isSelected(pod.metadata.labels, selector));
  const published = selected.find(isPodReady);
  if (published) return { reason: "unpublished", pod: published };
  const stray = webhooks.find((pod) => isPodReady(pod) && !selected.includes(pod));
  return stray ? { reason: "unselected", pod: stray } : { reason: "unready", pod: selected[0] };
}
