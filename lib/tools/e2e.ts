import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureChromium } from "./chromium.ts";

/** Runs the browser tests against the built app, with whatever Chromium can be had. */
let path: string;
try {
  path = ensureChromium();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const playwright = join("node_modules", "@playwright", "test", "cli.js");
const done = spawnSync(process.execPath, [playwright, "test", "-c", "e2e/playwright.config.ts", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, CHROMIUM_PATH: path, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
});
process.exitCode = done.status ?? 1;
