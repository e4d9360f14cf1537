import { bytesOf, mebibytes } from "./quantity.ts";

/** What the API server says of a quota that a pod would exceed: its name, and amounts by resource, as they stand there. */
export interface ExceededQuota {
  readonly name: string;
  readonly requested: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
  readonly limited: Readonly<Record<string, string>>;
}

const exceeded = /exceeded quota: (?<name>[^,\s]+), requested: (?<requested>\S+), used: (?<used>\S+), limited: (?<limited>\S+)/;

export function readExceededQuota(message: string): ExceededQuota | null {
  const found = exceeded.exec(message)?.groups;
  if (!found) return null;
  const { name = "", requested = "", used = "", limited = "" } = found;
  return { name, requested: amounts(requested), used: amounts(used), limited: amounts(limited) };
}

function amounts(list: string): Readonly<Record<string, string>> {
  return Object.fromEntries(list.split(",").flatMap((one) => [one.split("=")].filter(([, amount]) => amount)));
}

/** The limits that let pods with these requests in beside what is used; null where an amount can't be read. */
export function raisedLimits(quota: ExceededQuota, requests: readonly ExceededQuota[]): Readonly<Record<string, string>> | null {
  const all = Object.keys(quota.limited).map((resource) => {
    const wanted = requests.flatMap(({ requested }) => requested[resource] ?? []);
    return [resource, sum(resource, [quota.used[resource] ?? "0", ...wanted])] as const;
  });
  return all.every(([, amount]) => amount) ? Object.fromEntries(all as [string, string][]) : null;
}

function sum(resource: string, quantities: readonly string[]): string | undefined {
  const read = resource.endsWith("cpu") ? milliCpus : bytesOf;
  const all = quantities.map(read);
  if (all.some((one) => one === undefined)) return undefined;
  const total = all.reduce<number>((before, one) => before + (one ?? 0), 0);
  if (resource.endsWith("cpu")) return `${total}m`;
  return /memory$|storage$/.test(resource) ? mebibytes(total) : String(total);
}

function milliCpus(quantity: string): number | undefined {
  const { number, unit } = /^(?<number>\d+(?:\.\d+)?)(?<unit>m?)$/.exec(quantity)?.groups ?? {};
  return number === undefined ? undefined : Math.ceil(Number(number) * (unit ? 1 : 1000));
}
