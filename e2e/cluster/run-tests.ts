import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBinaries, MissingPrerequisite } from "./binaries.ts";
import { requireNamespaces } from "./control-plane/control-plane.ts";

/** `npm run test:cluster [-- Playwright's options]`: builds what is missing, then runs the tests; the last line counts them. */
try {
  requireNamespaces();
  const binaries = await ensureBinaries((line) => console.log(line));
  process.exitCode = await runTests(JSON.stringify(binaries));
} catch (error) {
  if (!(error instanceof MissingPrerequisite)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function runTests(testbed: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "certmedic-tests-"));
  const results = join(folder, "cluster.json");
  try {
    const playwright = join("node_modules", "@playwright", "test", "cli.js");
    const child = spawn(process.execPath, [playwright, "test", "-c", "e2e/cluster/playwright.config.ts", ...process.argv.slice(2)], {
      stdio: "inherit",
      env: { ...process.env, CERTMEDIC_TESTBED: testbed, CERTMEDIC_TEST_RESULTS: results, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
    });
    // The terminal's interrupt reaches Playwright too, which stops the control planes; this process only waits for that.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
    const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
    try {
      const { stats } = JSON.parse(readFileSync(results, "utf8")) as { stats: { expected: number; flaky: number; unexpected: number; skipped: number } };
      const failed = stats.unexpected + (code !== 0 && stats.unexpected === 0 ? 1 : 0);
      if (stats.flaky > 0) console.log(`${stats.flaky} of them passed at the second try only`);
      console.log(`${stats.expected + stats.flaky} passed, ${failed} failed${stats.skipped > 0 ? `, ${stats.skipped} skipped` : ""}`);
    } catch {
      console.log("0 passed, 1 failed");
    }
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
