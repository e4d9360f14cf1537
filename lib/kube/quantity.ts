const units: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** A memory quantity in bytes, or undefined where it isn't one. */
export function bytesOf(quantity: string): number | undefined {
  const { number, unit = "" } = /^(?<number>\d+(?:\.\d+)?)(?<unit>[kMGT]|[KMGT]i)?$/.exec(quantity)?.groups ?? {};
  const factor = units[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Bytes as whole Mi. */
export function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)}Mi`;
}
