import { open, stat } from "node:fs/promises";
import { InputError } from "../cluster/errors.ts";
import type { BundleFiles } from "./bundle-files.ts";
import { type BundleLimits, bundleBudget } from "./bundle-limits.ts";
import { readArchive } from "./read-archive.ts";
import { readFolder } from "./read-folder.ts";

/** Reads a folder or an archive into memory. Nothing is ever unpacked to disk, and no link is followed. */
export async function readBundleFiles(path: string, limits: BundleLimits): Promise<BundleFiles> {
  const budget = bundleBudget(path, limits);
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await readFolder(path, budget);
    const start = await firstBytes(path);
    if (start[0] === 0x1f && start[1] === 0x8b) return await readArchive(path, true, budget);
    // The first header block of a tar archive has its magic at a fixed place.
    if (start.subarray(257, 262).toString("latin1") === "ustar") return await readArchive(path, false, budget);
  } catch (error) {
    throw asInputError(error, path);
  }
  throw new InputError(`${path} isn't a folder or a .tar.gz, .tgz or .tar archive: give the path of one of these.`);
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function asInputError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return new InputError(`There is no file or folder ${path}: check the path.`, { cause: error });
  if (code === "EACCES" || code === "EPERM") return new InputError(`${path} may not be read: check its permissions.`, { cause: error });
  return error;
}
