import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { InputError } from "../cluster/errors.ts";
import { type BundleFiles, isReadable } from "./bundle-files.ts";
import type { BundleBudget } from "./bundle-limits.ts";

/** Reads a tar archive's files into memory, as far as the budget allows. Links are passed over; a path that leaves the archive is an error. */
export async function readArchive(path: string, gzipped: boolean, budget: BundleBudget): Promise<BundleFiles> {
  const source = createReadStream(path);
  const plain = gzipped ? source.pipe(createGunzip()) : source;
  source.on("error", (error) => plain.destroy(error));
  const bytes = Readable.toWeb(Readable.from(counted(plain, budget))) as ReadableStream<Uint8Array>;
  const files = new Map<string, Uint8Array>();
  try {
    for await (const entry of entriesOf(bytes)) {
      budget.entry();
      const name = safeName(entry.header.name, path);
      const wanted = (entry.header.type ?? "file") === "file" && isReadable(name);
      if (wanted) {
        budget.file(name, entry.header.size);
        files.set(name, await bodyOf(entry));
      } else {
        await entry.body.cancel();
      }
    }
  } catch (error) {
    if (error instanceof InputError || isFileSystemError(error)) throw error;
    throw new InputError(`${path} is damaged or isn't a tar archive: copy or create it again.`, { cause: error });
  } finally {
    source.destroy();
    plain.destroy();
  }
  return files;
}

async function* counted(stream: Readable, budget: BundleBudget): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    budget.bytes(chunk.length);
    yield chunk;
  }
}

function entriesOf(bytes: ReadableStream<Uint8Array>): AsyncIterable<ParsedTarEntry> {
  return bytes.pipeThrough(createTarDecoder({ strict: true })) as unknown as AsyncIterable<ParsedTarEntry>;
}

async function bodyOf(entry: ParsedTarEntry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function safeName(name: string, archive: string): string {
  const plain = name.replace(/^(?:\.\/)+/, "");
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(plain) || plain.split(/[/\\]/).includes("..")) {
    throw new InputError(`${archive} holds a path that leads out of it (${JSON.stringify(name.slice(0, 100))}): don't trust it, ask for another copy.`);
  }
  return plain;
}

function isFileSystemError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
