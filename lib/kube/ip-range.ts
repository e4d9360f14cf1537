/** Whether an address lies in a range in CIDR notation; undefined where one of them isn't plain IPv4. */
export function isAddressIn(address: string, cidr: string): boolean | undefined {
  const [base = "", bits] = cidr.split("/");
  const [one, other, length] = [numberOf(address), numberOf(base), Number(bits ?? 32)];
  if (one === undefined || other === undefined || !(length >= 0 && length <= 32)) return undefined;
  const size = 2 ** (32 - length);
  return Math.floor(one / size) === Math.floor(other / size);
}

function numberOf(address: string): number | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(address)) return undefined;
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
