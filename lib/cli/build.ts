import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const stamp = ".next/certmedic-sources";
const sources = ["app", "components", "lib", "public", "proxy.ts", "next.config.js", "postcss.config.mjs", "package-lock.json", "tsconfig.json"];
const irrelevant = /\.test\.tsx?$|\.fixture\.yaml$|^lib\/(?:tools|snapshot\/demo)\/|\.md$/;

/** Builds the dashboard and the command line, unless what was built last came from the same sources. */
export async function buildWhenNeeded(): Promise<void> {
  const wanted = hashOfSources();
  if (existsSync(stamp) && existsSync("dist/cli.js") && existsSync(".next/BUILD_ID") && readFileSync(stamp, "utf8") === wanted) return;
  console.error("Building the dashboard (about half a minute, once) …");
  await build();
}

async function build(): Promise<void> {
  await bundleCommandLine("dist");
  const next = spawnSync(process.execPath, [join("node_modules", "next", "dist", "bin", "next"), "build"], {
    encoding: "utf8",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (next.status !== 0) {
    process.stderr.write(`${next.stdout}${next.stderr}`);
    throw new Error(`next build failed with ${next.status ?? next.signal}`);
  }
  writeFileSync(stamp, hashOfSources());
}

/**
 * The command line as a few files, so that it starts fast: a command loads only what it needs. Of the Kubernetes client, a tenth is
 * needed; its modules do nothing when loaded, so the rest is left out.
 */
export async function bundleCommandLine(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { cli: "lib/cli/main.ts" },
    platform: "node",
    treeshake: { moduleSideEffects: (id) => !id.includes("/@kubernetes/client-node/") },
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesBelow)) if (!irrelevant.test(path)) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build();
