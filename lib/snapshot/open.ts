import { basename } from "node:path";
import { InputError } from "../cluster/errors.ts";
import type { BundleFiles } from "./bundle-files.ts";
import { type BundleLimits, defaultLimits } from "./bundle-limits.ts";
import { plainSnapshot } from "./plain-snapshot.ts";
import { readBundleFiles } from "./read-bundle.ts";
import type { Snapshot } from "./snapshot.ts";
import { troubleshootBundle } from "./troubleshoot-bundle.ts";

/** Opens a folder or archive of any format that we read. What can't be opened is an InputError that says what to do. */
export async function openSnapshot(path: string, limits: BundleLimits = defaultLimits): Promise<Snapshot> {
  const read = await readBundleFiles(path, limits);
  if (read.size === 0) throw new InputError(`${path} is empty, or holds no YAML, JSON or log files: check that it is the right one.`);
  const files = withoutOuterFolder(read);
  const name = basename(path).replace(/\.(tar\.gz|tgz|tar)$/, "");
  const paths = [...files.keys()];
  if (files.has("version.yaml") && paths.some((file) => file.startsWith("cluster-resources/"))) return troubleshootBundle(name, files, limits);
  refuseOthers(path, paths);
  return plainSnapshot(name, files, limits);
}

/** Archives usually hold one folder with everything in it. */
function withoutOuterFolder(files: BundleFiles): BundleFiles {
  const [outer, ...others] = new Set([...files.keys()].map((path) => path.slice(0, path.indexOf("/") + 1)));
  if (!outer || others.length > 0 || outer === "logs/") return files;
  return new Map([...files].map(([path, bytes]) => [path.slice(outer.length), bytes]));
}

function refuseOthers(path: string, paths: readonly string[]): void {
  const has = (pattern: RegExp): boolean => paths.some((file) => pattern.test(file));
  if (has(/(^|\/)cluster-scoped-resources\//) || has(/(^|\/)namespaces\/[^/]+\/(core|apps|pods)\//)) {
    throw new InputError(
      `${path} looks like the output of oc adm must-gather or inspect, which can't be opened yet: make a support bundle or a plain snapshot.`,
    );
  }
  if (has(/^nodes\.(json|yaml)$/) && has(/^[^/]+\/replication-controllers\.(json|yaml)$/)) {
    throw new InputError(`${path} looks like the output of kubectl cluster-info dump, which can't be opened yet: make a support bundle or a plain snapshot.`);
  }
}
