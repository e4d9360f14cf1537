import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { DashboardSource } from "../lib/server/dashboard-source.ts";

/** Another dashboard of the built app, started on something else than the demo clusters. */
export async function startDashboard(source: DashboardSource, port: number): Promise<{ url: string; stop(): Promise<void> }> {
  const next = join("node_modules", "next", "dist", "bin", "next");
  const server: ChildProcess = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CERTMEDIC_SOURCE: JSON.stringify(source), NODE_ENV: "production" },
  });
  await new Promise<void>((ready, fail) => {
    server.stdout?.setEncoding("utf8").on("data", (text: string) => text.includes("Ready") && ready());
    server.once("exit", (code) => fail(new Error(`the dashboard ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
    },
  };
}
