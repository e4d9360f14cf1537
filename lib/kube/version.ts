const pattern = /^v?(\d+)\.(\d+)\.(\d+)/;

/** A release's major, minor and patch number, or null where the text isn't a version. What follows the patch doesn't count. */
export function versionNumbers(version: string): readonly [number, number, number] | null {
  const match = pattern.exec(version);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : null;
}

/** Negative where `a` is the older release, zero where both are the same one; null where either isn't a version. */
export function compareVersions(a: string, b: string): number | null {
  const [x, y] = [versionNumbers(a), versionNumbers(b)];
  if (!x || !y) return null;
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
}

/** Whether `version` is `least` or newer; a version that can't be read counts as new. */
export function isAtLeast(version: string, least: string): boolean {
  return (compareVersions(version, least) ?? 0) >= 0;
}
