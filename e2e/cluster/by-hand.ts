import { parseArgs } from "node:util";
import { ensureBinaries, MissingPrerequisite } from "./binaries.ts";
import { TestCluster } from "./cluster.ts";
import { scenarioNamed, scenarioNames } from "./scenarios.ts";

/** `npm run cluster [-- --scenario NAME]`: a control plane with a healthy cert-manager, or with a scenario's fault, until it is interrupted. */
try {
  const { values } = parseArgs({ options: { scenario: { type: "string" }, list: { type: "boolean" } } });
  if (values.list) {
    for (const name of scenarioNames) console.log(`${name}  ${(await scenarioNamed(name)).title}`);
  } else {
    await stand(values.scenario);
  }
} catch (error) {
  const known =
    error instanceof MissingPrerequisite ||
    (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") ||
    /^There is no scenario/.test((error as Error).message);
  if (!known) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function stand(name: string | undefined): Promise<void> {
  const scenario = name === undefined ? undefined : await scenarioNamed(name);
  const binaries = await ensureBinaries((line) => console.error(line));
  console.error("starting the control plane");
  const cluster = await TestCluster.start(binaries);
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  try {
    if (scenario?.from !== "empty") {
      console.error("installing cert-manager");
      await cluster.prepareHealthy();
    }
    if (scenario) {
      console.error(`making the fault: ${scenario.title}`);
      await scenario.fault(cluster);
    }
    console.error("Ctrl-C ends it. The kubeconfig, for kubectl, helm and `npm start -- --kubeconfig`:");
    console.log(cluster.plane.kubeconfig);
    await interrupted;
    console.error("ending");
  } finally {
    await cluster.close();
  }
}
