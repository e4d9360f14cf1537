import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { hasKubeconfig, isInCluster } from "../cluster/kubeconfig.ts";
import type { DashboardSource } from "../server/dashboard-source.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./options.ts";
import { UsageError } from "./usage-error.ts";

const usage = `npm start                     the kubeconfig's current context, or the demo clusters where there is no kubeconfig
npm start -- --demo           the demo clusters that ship with Certmedic
npm start -- --bundle PATH    a support bundle or a snapshot
npm start -- --context NAME   another context; --kubeconfig FILE, --port N (3000)`;

const options = {
  demo: { type: "boolean" },
  bundle: { type: "string" },
  context: { type: "string" },
  kubeconfig: { type: "string" },
  port: { type: "string" },
  dev: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

try {
  await start(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = exitCodes.usage;
}

async function start(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, options);
  if (values.help) return console.log(usage);
  if (positionals.length > 0) throw new UsageError(`There is no argument "${positionals[0]}".`);
  const source = sourceOf(values);
  const port = Number(values.port ?? 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new UsageError(`--port takes a number from 1 to 65535, not "${values.port}".`);
  if (!values.dev) {
    const { buildWhenNeeded } = await import("./build.ts");
    await buildWhenNeeded();
  }
  await serve(source, port, values.dev === true);
}

function sourceOf(values: { demo?: boolean; bundle?: string; context?: string; kubeconfig?: string }): DashboardSource {
  const { demo, bundle, context, kubeconfig } = values;
  if ([demo, bundle, context ?? kubeconfig].filter(Boolean).length > 1)
    throw new UsageError("--demo, --bundle and --context or --kubeconfig exclude each other.");
  if (bundle !== undefined) return { kind: "bundle", path: resolve(bundle) };
  if (demo) return { kind: "demo" };
  const path = kubeconfig === undefined ? undefined : resolve(kubeconfig);
  if (path !== undefined || context !== undefined) return { kind: "cluster", path, context };
  if (hasKubeconfig({}) || isInCluster()) return { kind: "cluster" };
  console.error("No kubeconfig found: showing the demo clusters. Point it at a cluster with: npm start -- --kubeconfig FILE");
  return { kind: "demo" };
}

/** Runs the server until it ends, and prints the address with its one-time token once it answers. */
async function serve(source: DashboardSource, port: number, development: boolean): Promise<void> {
  const token = process.env.CERTMEDIC_TOKEN ?? randomBytes(24).toString("base64url");
  const next = join("node_modules", "next", "dist", "bin", "next");
  const server = spawn(process.execPath, [next, development ? "dev" : "start", "-H", "127.0.0.1", "-p", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CERTMEDIC_SOURCE: JSON.stringify(source), CERTMEDIC_TOKEN: token },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
  // A signal to npm ends the shell between us, and nobody tells us.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && server.kill("SIGTERM"), 1_000).unref();
  let printed = false;
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (development) process.stdout.write(text);
    if (printed || !/Ready in|✓ Ready/.test(text)) return;
    printed = true;
    console.log(`\nCertmedic is at http://127.0.0.1:${port}/?token=${token}\n\nThe token works once, for one browser. End with Ctrl+C.`);
  });
  await new Promise<void>((done) => {
    server.on("exit", (code) => {
      process.exitCode = code ?? 0;
      if (!printed) console.error(`The server ended before it was ready. Is port ${port} in use? Choose another with: npm start -- --port 3001`);
      done();
    });
  });
}
