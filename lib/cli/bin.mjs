#!/usr/bin/env node
// Starts the bundled command line under a Node that can run it: the one that came with the lockfile where the system's is too old.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
// By its default export: a name that an older Node.js lacks would keep it from saying what it needs.
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isNewEnough, tooOld } from "./node-version.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const bundle = join(root, "dist/cli.js");

if (!existsSync(bundle)) {
  console.error("The command line isn't built yet. Run: npm run build");
  process.exitCode = 5;
} else if (isNewEnough()) {
  process.env.CERTMEDIC_ROOT ??= root;
  // Half of a short command's time would be compiling the same code again.
  module.enableCompileCache?.(join(root, "node_modules/.cache/certmedic"));
  await import(bundle);
} else {
  const node = nodeOfLockfile();
  if (!node || process.env.CERTMEDIC_REEXECUTED) {
    console.error(tooOld);
    process.exitCode = 5;
  } else {
    const done = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: "inherit",
      env: { ...process.env, CERTMEDIC_REEXECUTED: "1" },
    });
    process.exitCode = done.status ?? 5;
  }
}

function nodeOfLockfile() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), "bin/node");
  } catch {
    return null;
  }
}
