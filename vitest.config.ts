import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "server-only": `${import.meta.dirname}/lib/tools/server-only-stand-in.ts`, "@": import.meta.dirname } },
  // Nothing here is a test of speed, and machines are noisy: a test that hangs ends, a slow one may take its time.
  test: { testTimeout: 60_000, hookTimeout: 60_000, include: ["lib/**/*.test.ts", "components/**/*.test.tsx"] },
});
