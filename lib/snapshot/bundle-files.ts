/** The readable files of a bundle by path, with `/` between folders and none at the front. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

/** Whether a bundle's file can mean anything to us; the others aren't kept in memory. */
export function isReadable(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // macOS puts its own companions (`._pods.yaml`) into archives.
  return !name.startsWith("._") && (/\.(ya?ml|json|log|txt|html)$/.test(name) || name === "timestamp");
}
