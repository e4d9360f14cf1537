import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "server-only": `${import.meta.dirname}/lib/tools/server-only-stand-in.ts`, "@": import.meta.dirname } },
  test: { include: ["lib/**/*.test.ts", "components/**/*.test.tsx"] },
});
