import type { WebhookConfiguration } from "../model/kubernetes.ts";

/** A field manager that owns the CA bundle of an entry of a registration. */
export interface BundleOwner {
  readonly manager: string;
  /** When it last changed something that it owns. */
  readonly time: string;
  /** Its place among the managed fields. */
  readonly index: number;
}

/** Who owns the CA bundles of a registration, as its managed fields tell. */
export function bundleOwners({ metadata }: WebhookConfiguration): readonly BundleOwner[] {
  return (metadata.managedFields ?? []).flatMap(({ manager = "", time = "", fieldsV1 }, index) => {
    const entries = Object.values(asObject(asObject(fieldsV1)["f:webhooks"]));
    return entries.some((entry) => asObject(asObject(entry)["f:clientConfig"])["f:caBundle"] !== undefined) ? [{ manager, time, index }] : [];
  });
}

/** When the CA bundles of a registration last changed: as their owners tell or, without those, when anything did. Null where nothing tells. */
export function bundleChanged(configuration: WebhookConfiguration): Date | null {
  const { managedFields = [], creationTimestamp } = configuration.metadata;
  const owners = bundleOwners(configuration);
  const candidates = owners.length > 0 ? owners.map(({ time }) => time) : [...managedFields.map(({ time }) => time), creationTimestamp];
  const times = candidates.map((time) => Date.parse(time ?? "")).filter((time) => !Number.isNaN(time));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>) : {};
}
