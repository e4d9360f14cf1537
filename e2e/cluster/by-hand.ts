import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openSnapshot } from "../../lib/snapshot/open.ts";
import { ensureBinaries, MissingPrerequisite } from "./binaries.ts";
import { TestCluster } from "./cluster.ts";
import { recordSnapshot, writeSnapshot } from "./recording/record.ts";
import { withNamesOf } from "./recording/stable-names.ts";
import type { Scenario } from "./scenario.ts";
import { scenarioNamed, scenarioNames } from "./scenarios.ts";

const usage = `npm run cluster                       a control plane with a healthy cert-manager, until it is interrupted
npm run cluster -- --scenario NAME    with a fault; --list shows the scenarios
npm run cluster -- --record FOLDER    saves it as a snapshot and ends; --age MINUTES lets it stand first`;

/** Namespaces of the test bed, not of the cluster that it stands for. */
const except = ["certmedic", "kube-public", "kube-node-lease"];

/** `npm run cluster`: the test control plane by hand. */
try {
  const { values } = parseArgs({
    options: {
      scenario: { type: "string" },
      list: { type: "boolean" },
      record: { type: "string" },
      age: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) console.log(usage);
  else if (values.list) for (const name of scenarioNames) console.log(`${name}  ${(await scenarioNamed(name)).title}`);
  else await stand(values.scenario === undefined ? undefined : await scenarioNamed(values.scenario), values.record, Number(values.age ?? 0));
} catch (error) {
  const { code, message } = error as Error & { code?: string };
  if (!(error instanceof MissingPrerequisite || code?.startsWith("ERR_PARSE_ARGS") || message.startsWith("There is no scenario"))) throw error;
  console.error(error instanceof MissingPrerequisite ? message : `${message}\n\n${usage}`);
  process.exitCode = 1;
}

async function stand(scenario: Scenario | undefined, record: string | undefined, ageMinutes: number): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  const binaries = await ensureBinaries((line) => console.error(line));
  console.error("starting the control plane");
  const cluster = await TestCluster.start(binaries);
  const ready = async (): Promise<void> => {
    await prepare(cluster, scenario);
    if (record === undefined) {
      console.error("Ctrl-C ends it. The kubeconfig, for kubectl, helm and `npm start -- --kubeconfig`:");
      console.log(cluster.plane.kubeconfig);
      await interrupted;
    } else {
      // A fault takes some seconds until pods and events tell of it.
      await sleep(Math.max(5_000, ageMinutes * 60_000));
      await save(cluster, record);
    }
  };
  try {
    await Promise.race([ready(), interrupted]);
    console.error("ending");
  } finally {
    await cluster.close();
  }
}

async function prepare(cluster: TestCluster, scenario: Scenario | undefined): Promise<void> {
  if (scenario?.from !== "empty") {
    console.error("installing cert-manager");
    await cluster.prepareHealthy();
  }
  if (!scenario) return;
  console.error(`making the fault: ${scenario.title}`);
  await scenario.fault(cluster);
}

/** A snapshot that is there already gives its generated names, so that the difference shows what really changed. */
async function save(cluster: TestCluster, folder: string): Promise<void> {
  const recording = await recordSnapshot(cluster.plane.kubeconfig, { except, reportedErrors: cluster.said.map(({ text }) => text) });
  await writeSnapshot(existsSync(folder) ? withNamesOf(await openSnapshot(folder), recording) : recording, folder);
  console.log(`${recording.objects.length} objects and ${recording.logs.size} logs in ${folder}`);
}
