import { defineConfig, devices } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "../lib/tools/chromium.ts";

const port = Number(process.env.E2E_PORT ?? 3217);
/** The server takes the token from here instead of making one, so that the set-up can sign in. */
process.env.CERTMEDIC_TOKEN ??= crypto.randomUUID();

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  fullyParallel: true,
  testMatch: "*.spec.ts",
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  globalSetup: "./sign-in.ts",
  reporter: process.env.CERTMEDIC_TEST_RESULTS ? [["list"], ["json", { outputFile: process.env.CERTMEDIC_TEST_RESULTS }]] : [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    storageState: "test-results/session.json",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: { executablePath: chromiumPath(), args: [...chromiumArgs] },
  },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 900 } } }],
  webServer: {
    command: `node lib/cli/start.ts --demo --port ${port}`,
    cwd: "..",
    url: `http://127.0.0.1:${port}/status`,
    reuseExistingServer: false,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
  },
});
