import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/opt/google/chrome/chrome"];

/** A Chromium that is there: named by $CHROMIUM_PATH, Playwright's own, or the system's; undefined where there is none. */
export function chromiumPath(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const own = chromium.executablePath();
  return [own, ...usual].find((path) => existsSync(path));
}

/** Makes sure that there is one: Playwright's download, else as root the Debian package. Throws a sentence that says what to install. */
export function ensureChromium(): string {
  const found = chromiumPath();
  if (found) return found;
  console.error("No Chromium found: downloading Playwright's …");
  spawnSync("npx", ["playwright", "install", "chromium"], { stdio: ["ignore", "ignore", "ignore"], timeout: 300_000 });
  if (!chromiumPath() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error("That didn't work: installing the package chromium …");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore", env });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { stdio: "ignore", env });
  }
  const path = chromiumPath();
  if (path) return path;
  throw new Error("The browser tests need a Chromium: install the package chromium (as root: apt-get install chromium), or set CHROMIUM_PATH.");
}

/** Arguments that keep it quiet on closed networks, and let root start it. */
export const chromiumArgs: readonly string[] = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
