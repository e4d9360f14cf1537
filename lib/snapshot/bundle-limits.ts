import { InputError } from "../cluster/errors.ts";

/** How much of a bundle is read before it counts as hostile or broken. */
export interface BundleLimits {
  /** All files together, unpacked. */
  readonly totalBytes: number;
  /** Files, folders and links together. */
  readonly entries: number;
  readonly fileBytes: number;
  /** YAML in all: it takes half a second a megabyte to read. */
  readonly yamlBytes: number;
  /** How often one YAML anchor may be used. */
  readonly aliases: number;
  /** Lists and objects inside one another. */
  readonly depth: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: BundleLimits = {
  totalBytes: 512 * mebibyte,
  entries: 100_000,
  fileBytes: 64 * mebibyte,
  yamlBytes: 64 * mebibyte,
  aliases: 100,
  depth: 100,
};

/** Counts what is read from one bundle, and ends the reading where a limit is passed. */
export interface BundleBudget {
  entry(): void;
  file(name: string, bytes: number): void;
  bytes(count: number): void;
}

/** A fresh count against the limits; `path` is what the person asked to open. */
export function bundleBudget(path: string, limits: BundleLimits): BundleBudget {
  const smaller = "open a smaller bundle, or only the part of it that is about cert-manager.";
  let entries = 0;
  let total = 0;
  return {
    entry() {
      entries += 1;
      if (entries > limits.entries) throw new InputError(`${path} holds more than ${limits.entries} files: ${smaller}`);
    },
    file(name, bytes) {
      const size = megabytes(limits.fileBytes);
      if (bytes > limits.fileBytes) throw new InputError(`${name} in ${path} is larger than ${size}: take it out, or split it, and open the rest.`);
    },
    bytes(count) {
      total += count;
      if (total > limits.totalBytes) throw new InputError(`${path} is larger than ${megabytes(limits.totalBytes)} when unpacked: ${smaller}`);
    },
  };
}

/** A size for people. */
function megabytes(bytes: number): string {
  return bytes >= mebibyte ? `${Math.round(bytes / mebibyte)} MB` : `${bytes} bytes`;
}
