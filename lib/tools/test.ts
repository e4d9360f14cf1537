import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs every test that needs nothing but Node.js and a Chromium; the last line counts them all. */
const folder = mkdtempSync(join(tmpdir(), "certmedic-tests-"));
const counts = { passed: 0, failed: 0, skipped: 0 };

try {
  const unit = run("vitest", [
    join("node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${join(folder, "unit.json")}`,
  ]);
  take(unit, "unit.json", (results) => ({
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests + results.numTodoTests,
  }));
  const browser = run("Playwright", [join("lib", "tools", "e2e.ts")], { CERTMEDIC_TEST_RESULTS: join(folder, "browser.json") });
  take(browser, "browser.json", ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }));
} finally {
  rmSync(folder, { recursive: true });
}

process.exitCode = counts.failed > 0 ? 1 : 0;
console.log(`${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`);

function run(name: string, args: readonly string[], env: Record<string, string> = {}): { name: string; status: number } {
  const done = spawnSync(process.execPath, [...args], { stdio: "inherit", env: { ...process.env, ...env } });
  return { name, status: done.status ?? 1 };
}

/** Adds a runner's counts; one that failed without a failed test (it couldn't start) is a failure too. */
function take(of: { name: string; status: number }, file: string, count: (results: Results) => typeof counts): void {
  const before = counts.failed;
  try {
    const { passed, failed, skipped } = count(JSON.parse(readFileSync(join(folder, file), "utf8")) as Results);
    counts.passed += passed;
    counts.failed += failed;
    counts.skipped += skipped;
  } catch {
    console.error(`${of.name} left no results.`);
  }
  if (of.status !== 0 && counts.failed === before) counts.failed += 1;
}

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}
