import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
export default {
  // Loaded at run time, and only when a live cluster is opened.
  serverExternalPackages: ["@kubernetes/client-node", "undici"],
  turbopack: { root: fileURLToPath(new URL(".", import.meta.url)) },
  poweredByHeader: false,
  agentRules: false,
  devIndicators: false,
  // Whatever listens on loopback is reached under these names only (lib/server/trust.ts checks them again).
  allowedDevOrigins: ["127.0.0.1", "localhost"],
};
