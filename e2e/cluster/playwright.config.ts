import { defineConfig } from "@playwright/test";

/** Tests against a real control plane; `npm run test:cluster` builds what they need and starts them. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/cluster",
  testMatch: "*.cluster.ts",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: Number(process.env.CERTMEDIC_CLUSTER_WORKERS ?? 2),
  // Twenty programs on a busy machine: what fails once there is tried again on a control plane of its own, and named apart.
  retries: process.env.CI ? 1 : 0,
  // A fault may take half a minute to show (time-outs of webhooks), and machines are noisy.
  timeout: 180_000,
  reporter: [
    ["list"],
    ["./awaiting-reporter.ts"],
    ...(process.env.CERTMEDIC_TEST_RESULTS ? ([["json", { outputFile: process.env.CERTMEDIC_TEST_RESULTS }]] as const) : []),
  ],
});
