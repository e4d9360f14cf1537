import { setTimeout as sleep } from "node:timers/promises";
import { checkup } from "../checkup.ts";
import { reportOf } from "../report/report.ts";
import { reportText } from "../report/text.ts";
import { demoNames, loadDemo } from "../snapshot/demo-clusters.ts";
import { openSnapshot } from "../snapshot/open.ts";
import { openLiveTarget, openSnapshotTarget, type Target } from "../target.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { durationOf, localeOf, outputOf, parseOptions, reportedErrorsOf } from "./options.ts";
import { terminalStyle } from "./terminal-style.ts";
import { UsageError } from "./usage-error.ts";

const options = {
  context: { type: "string" },
  kubeconfig: { type: "string" },
  bundle: { type: "string" },
  demo: { type: "string" },
  "reported-error": { type: "string", multiple: true },
  wait: { type: "string" },
  output: { type: "string", short: "o" },
  lang: { type: "string" },
} as const;

/** How long between two looks while waiting (catalogue 0.3). */
const pauseMs = 5_000;

/** `certmedic check`: prints the report of one look, or with --wait of the first healthy one; gives the exit code. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  if (positionals.length > 0) throw new UsageError(`check takes no argument "${positionals[0]}"`);
  const output = outputOf(values.output);
  const locale = localeOf(values.lang);
  const patienceMs = values.wait === undefined ? 0 : durationOf(values.wait);
  const reported = reportedErrorsOf(values["reported-error"] ?? []);
  const target = await open(values);
  try {
    const input = { ...target.input, reportedErrors: [...target.input.reportedErrors, ...reported] };
    const deadline = performance.now() + patienceMs;
    for (;;) {
      if (process.stderr.isTTY) process.stderr.write(`Reading ${target.cluster.name} …\r`);
      const report = reportOf(await checkup(target.cluster, input), locale);
      if (process.stderr.isTTY) process.stderr.write("\u001b[2K");
      const over = performance.now() + pauseMs > deadline;
      if (report.verdict !== "healthy" && !over) {
        console.error(`${report.verdict}: looking again in ${pauseMs / 1000} s`);
        await sleep(pauseMs);
        continue;
      }
      console.log(output === "json" ? JSON.stringify(report, null, 2) : reportText(report, terminalStyle(process.stdout), locale));
      return patienceMs > 0 && report.verdict !== "healthy" ? exitCodes.waited : exitCodeOf(report);
    }
  } finally {
    await target.close();
  }
}

async function open(values: { context?: string; kubeconfig?: string; bundle?: string; demo?: string }): Promise<Target> {
  const { context, kubeconfig, bundle, demo } = values;
  if ([bundle, demo, context ?? kubeconfig].filter((value) => value !== undefined).length > 1) {
    throw new UsageError("--bundle, --demo and --context or --kubeconfig exclude each other");
  }
  if (bundle !== undefined) return openSnapshotTarget(await openSnapshot(bundle));
  if (demo !== undefined && !demoNames.some((name) => name === demo)) throw new UsageError(`there is no demo cluster "${demo}": use ${demoNames.join(", ")}`);
  if (demo !== undefined) return openSnapshotTarget((await loadDemo(process.env.CERTMEDIC_ROOT ?? process.cwd(), demo)).snapshot);
  return openLiveTarget({ path: kubeconfig, context });
}
