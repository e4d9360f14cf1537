import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { diagnose } from "../checks/diagnose.ts";
import { checkup } from "../checkup.ts";
import { gather } from "../gather/run.ts";
import { defaultWindows } from "../model/check.ts";
import { loadDemo } from "../snapshot/demo-clusters.ts";
import { openSnapshot } from "../snapshot/open.ts";
import { startSnapshotServer } from "../snapshot/server.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { openSnapshotTarget } from "../target.ts";
import { printAccuracy } from "./accuracy.ts";
import { medianOf, medianTime, ms, printFigure } from "./figures.ts";
import { firstLoad, firstLoadFloor } from "./first-load.ts";
import { printScale } from "./scale.ts";

/**
 * Prints the figures of the README and the closing notes: medians, each beside a baseline of the same run, since machines
 * differ and are noisy. `--bundle PATH` adds a bundle, `--quick` leaves out what needs a build. `cluster` measures against a
 * real API server instead, `accuracy` counts right answers, `scale` measures the checks on large and on badly broken clusters.
 */
const { values, positionals } = parseArgs({ options: { bundle: { type: "string" }, quick: { type: "boolean" } }, allowPositionals: true });
const runs = 9;
const port = 3391;

if (positionals[0] === "cluster") {
  process.exit(spawnSync(process.execPath, ["e2e/cluster/bench.ts"], { stdio: "inherit" }).status ?? 1);
}
if (positionals[0] === "accuracy" || positionals[0] === "scale") {
  await (positionals[0] === "accuracy" ? printAccuracy() : printScale());
  process.exit();
}
await benchCheckup("healthy install", (await loadDemo(process.cwd(), "healthy")).snapshot);
if (values.bundle) await benchCheckup("bundle", await openSnapshot(values.bundle));
if (!values.quick) {
  benchCommandLine();
  await benchServer();
}

async function benchCheckup(name: string, snapshot: Snapshot): Promise<void> {
  const server = await startSnapshotServer();
  const target = await openSnapshotTarget(snapshot, server);
  const base = server.mount("baseline", snapshot);
  const dispatcher = new Agent();
  const first = await checkup(target.cluster, target.input);
  const gathering = await median(async () => gather(target.cluster, target.input));
  const one = await median(() => request(`${base}/version`, { dispatcher }).then((answer) => answer.body.text()));
  const facts = await gather(target.cluster, target.input);
  const judging = await median(async () => diagnose(facts, snapshot.now, defaultWindows));
  const copying = await median(async () => JSON.parse(JSON.stringify(facts)));
  printFigure(`${name}: requests`, String(first.requests), "limit 45");
  printFigure(`${name}: bytes read`, `${(first.bytes / 1024).toFixed(1)} KiB`, "");
  printFigure(`${name}: gathering`, ms(gathering), `${(gathering / one).toFixed(1)} × one bare GET (${ms(one)})`);
  printFigure(`${name}: all checks`, ms(judging), `${(judging / copying).toFixed(1)} × copying the facts as JSON (${ms(copying)})`);
  await target.close();
  await dispatcher.close();
  await server.close();
}

function benchCommandLine(): void {
  const time = (args: readonly string[]) => medianOf(Array.from({ length: 5 }, () => wall(() => spawnSync(process.execPath, [...args], { stdio: "ignore" }))));
  const node = time(["-e", "0"]);
  for (const [name, args] of [
    ["check --demo healthy", ["check", "--demo", "healthy"]],
    ["explain CHECK-ID", ["explain", "ca-bundle-empty"]],
  ] as const) {
    const own = time(["lib/cli/bin.mjs", ...args]);
    printFigure(`certmedic ${name}`, ms(own), `${(own / node).toFixed(1)} × starting Node.js (${ms(node)})`);
  }
}

async function benchServer(): Promise<void> {
  const floor = firstLoadFloor();
  const started = performance.now();
  const server = spawn(process.execPath, ["lib/cli/start.ts", "--demo", "--port", String(port)], { stdio: "ignore" });
  try {
    const diagnosed = await poll(`http://127.0.0.1:${port}/api/c/healthy/checkup`, (text) => text.includes('"verdict":"healthy"'));
    const ready = performance.now() - started;
    const catalogue = () => fetch(`http://127.0.0.1:${port}/checks`).then((answer) => answer.text());
    await catalogue();
    const page = await median(catalogue);
    printFigure("npm start to the first diagnosis (built)", ms(ready), `${(ready / page).toFixed(0)} × one page of the catalogue afterwards (${ms(page)})`);
    if (!diagnosed) throw new Error("the server gave no diagnosis");
    for (const { path, ours, total } of await firstLoad(`http://127.0.0.1:${port}`, floor)) {
      printFigure(
        `first-load JavaScript of ${path}`,
        `${total.toFixed(1)} KiB gzip`,
        `ours ${ours.toFixed(1)} KiB on top of Next with a link, React and a hydrated query (${floor.toFixed(1)} KiB); limit 20`,
      );
    }
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

async function poll(url: string, good: (text: string) => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const text = await fetch(url).then(
      (answer) => answer.text(),
      () => "",
    );
    if (good(text)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function median(work: () => Promise<unknown>): Promise<number> {
  return medianTime(runs, work);
}

function wall(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
