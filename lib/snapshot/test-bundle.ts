import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";
import { afterAll } from "vitest";
import { openSnapshot } from "./open.ts";

const root = await mkdtemp(join(tmpdir(), "snapshot-"));
afterAll(() => rm(root, { recursive: true, force: true }));
let made = 0;

/** A path in a folder of this test file, not yet there. */
export function freshPath(name: string): string {
  made += 1;
  return join(root, String(made), name);
}

/** Writes one file; returns its path. */
export async function written(path: string, content: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** Writes files into a fresh folder; returns its path. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = freshPath("snap");
  await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) await written(join(folder, path), content);
  return folder;
}

/** Tar entries for files by path. */
export function entriesOf(files: Readonly<Record<string, string>>): TarEntry[] {
  return Object.entries(files).map(([name, body]) => ({ header: { name, size: Buffer.byteLength(body), type: "file" as const }, body }));
}

/** Writes an archive; its name decides whether it is compressed. */
export async function archiveOf(entries: readonly TarEntry[], name = "snap.tar.gz"): Promise<string> {
  const tar = await packTar(entries);
  return written(freshPath(name), name.endsWith(".tar") ? tar : gzipSync(tar));
}

/** What opening a bundle fails with. */
export async function refusalOf(path: string, ...limits: Parameters<typeof openSnapshot> extends [string, ...infer R] ? R : never): Promise<Error> {
  return openSnapshot(path, ...limits).then(
    () => Promise.reject(new Error(`${path} was opened`)),
    (error: Error) => error,
  );
}
