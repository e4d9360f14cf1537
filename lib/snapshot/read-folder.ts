import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type BundleFiles, isReadable } from "./bundle-files.ts";
import type { BundleBudget } from "./bundle-limits.ts";

/** Reads a folder's files into memory; links are passed over, so that nothing outside of it is read. */
export async function readFolder(root: string, budget: BundleBudget): Promise<BundleFiles> {
  const files = new Map<string, Uint8Array>();
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      budget.entry();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile() || !isReadable(path)) continue;
      const { size } = await stat(join(root, path));
      budget.file(path, size);
      budget.bytes(size);
      files.set(path, await readFile(join(root, path)));
    }
  }
  return files;
}
