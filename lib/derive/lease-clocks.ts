import type { Lookup } from "../model/facts.ts";
import type { Lease } from "../model/kubernetes.ts";

/** A renewal as two clocks saw it: the holder's, which wrote the time into the lease, and the API server's, which noted when that came. */
export interface LeaseClocks {
  readonly lease: Lookup<Lease>;
  readonly holder: Date;
  readonly server: Date;
}

/** Reads them from leases that say who set the time of renewal when, as a live API server's do. */
export function leaseClocks(leases: readonly Lookup<Lease>[]): readonly LeaseClocks[] {
  return leases.flatMap((lease) => {
    const { renewTime } = lease.object?.spec ?? {};
    const noted = lease.object?.metadata.managedFields?.filter(({ fieldsV1 }) => setsRenewTime(fieldsV1)).flatMap(({ time }) => time ?? []);
    // One holder after another leaves an entry each; the last one renewed last.
    const last = noted?.sort().at(-1);
    if (!renewTime || !last) return [];
    return [{ lease, holder: new Date(renewTime), server: new Date(last) }];
  });
}

function setsRenewTime(fields: unknown): boolean {
  const spec = (fields as { readonly "f:spec"?: Readonly<Record<string, unknown>> } | undefined)?.["f:spec"];
  return spec !== undefined && "f:renewTime" in spec;
}
