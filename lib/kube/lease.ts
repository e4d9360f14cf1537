import type { Lease, Pod } from "../model/kubernetes.ts";

/** The leases have these names whatever the release is called (catalogue 2b). */
export const leaseNames = { cainjector: "cert-manager-cainjector-leader-election", controller: "cert-manager-controller" } as const;

/**
 * Whether somebody holds the lease at `now`: it was renewed within twice its duration, which leaves room for clocks
 * that differ by some seconds.
 */
export function isHeld(lease: Lease | null, now: Date): boolean {
  const renewed = Date.parse(lease?.spec?.renewTime ?? "");
  if (!lease?.spec?.holderIdentity || Number.isNaN(renewed)) return false;
  return now.getTime() - renewed < 2 * (lease.spec.leaseDurationSeconds ?? 60) * 1000;
}

/**
 * Whether the lease is in the name of this pod of cainjector or the controller; an elector signs with its host name, which is the node's
 * where the pod uses the host's network.
 */
export function isHolder(lease: Lease | null, { metadata, spec }: Pod): boolean {
  const holder = lease?.spec?.holderIdentity;
  const names = [metadata.name, ...(spec.hostNetwork && spec.nodeName ? [spec.nodeName] : [])];
  return names.some((name) => holder?.startsWith(`${name}_`) || holder === `${name}-external-cert-manager-controller`);
}
