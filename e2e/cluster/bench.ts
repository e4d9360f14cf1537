import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkup } from "../../lib/checkup.ts";
import type { Checkup } from "../../lib/report/report.ts";
import { openLiveTarget } from "../../lib/target.ts";
import { medianTime, ms, printFigure } from "../../lib/tools/figures.ts";
import { ensureBinaries } from "./binaries.ts";
import { noWindows, TestCluster } from "./cluster.ts";
import { kubeconfig } from "./control-plane/kubeconfig.ts";
import { users } from "./control-plane/layout.ts";
import { startDashboard } from "./dashboard.ts";
import { hangingLink, slowLink } from "./slow-link.ts";

/**
 * `npm run bench -- cluster`: what a checkup costs against a real API server, as ratios of one run: the checkup in the running server and by the
 * command line, beside one run of cert-manager's own API check and the seven reads with kubectl that the guides walk through.
 */
const runs = 7;
/** Pods, CRDs, both webhook configurations, Service with EndpointSlices, events, CA Secret. */
const reads = [
  "get pods -n cert-manager",
  "get crd",
  "get validatingwebhookconfiguration cert-manager-webhook -o yaml",
  "get mutatingwebhookconfiguration cert-manager-webhook -o yaml",
  "get service,endpointslices -n cert-manager",
  "get events -n cert-manager",
  "get secret cert-manager-webhook-ca -n cert-manager -o yaml",
];

const binaries = await ensureBinaries((line) => console.error(line));
const cluster = await TestCluster.start(binaries);
try {
  await cluster.prepareHealthy();
  await benchAgainstOthers();
  await benchLatency(100);
  await benchHanging();
  for (const certificates of [0, 1_000, 20_000]) await benchSize(certificates);
} finally {
  await cluster.close();
}

async function benchAgainstOthers(): Promise<void> {
  const apiCheck = await median(() => cluster.run(`"$TESTBED_BINARIES/startupapicheck" check api --namespace=default`));
  const kubectl = await median(async () => {
    for (const read of reads) await cluster.run(`"$TESTBED_KUBECTL" ${read}`);
  });
  const commandLine = await median(async () => {
    const ran = await cluster.try(`'${process.execPath}' lib/cli/bin.mjs check --kubeconfig "$KUBECONFIG" -o json`);
    // 5: an install of a minute settles.
    if (ran.code !== 0 && ran.code !== 5) throw new Error(`certmedic check ended with ${ran.code}: ${ran.stderr}`);
  });
  const dashboard = await startDashboard(cluster.plane.kubeconfig);
  const server = await median(() => dashboard.checkAgain());
  await dashboard.stop();
  printFigure("one run of cert-manager's API check", ms(apiCheck), "baseline");
  printFigure("seven reads with kubectl", ms(kubectl), "baseline");
  printFigure("checkup in the running server", ms(server), `${(server / apiCheck).toFixed(2)} × the API check; target 1.0`);
  printFigure("checkup by the command line", ms(commandLine), `${(commandLine / kubectl).toFixed(2)} × the reads with kubectl; target 0.5`);
}

async function benchLatency(roundTripMs: number): Promise<void> {
  const link = await slowLink(cluster.plane.server, roundTripMs);
  const took = await median(() => look(link.server));
  await link.close();
  printFigure(`checkup with ${roundTripMs} ms of latency`, ms(took), `${((took - 200) / roundTripMs).toFixed(1)} round trips + 200 ms; target 6`);
}

/** Every request of a checkup hangs once, alone. */
async function benchHanging(): Promise<void> {
  const asked = new Set<string>();
  const identity = await cluster.certificate("--name", "127.0.0.1", "--hosts", "127.0.0.1");
  let hung = "";
  const link = await hangingLink(cluster.plane.server, cluster.plane.ca, identity, (line) => {
    asked.add(line);
    return line === hung;
  });
  await look(link.server, identity.certificate);
  const firsts: { line: string; atMs: number; verdict: string; pending: number }[] = [];
  for (const line of [...asked]) {
    hung = line;
    const started = performance.now();
    let first = { atMs: Number.POSITIVE_INFINITY, verdict: "none", pending: Number.POSITIVE_INFINITY };
    await Promise.race([
      look(link.server, identity.certificate, ({ diagnosis }) => {
        const pending = diagnosis.results.filter(({ status }) => status === "pending").length;
        const seen = { atMs: performance.now() - started, verdict: diagnosis.verdict, pending };
        // A verdict counts when it is one; "unknown" counts with everything judged that can be without the request.
        if (first.verdict !== "healthy" && seen.atMs < 3_000 && (seen.verdict !== first.verdict || pending < first.pending)) first = seen;
      }),
      new Promise((resolve) => setTimeout(resolve, 3_100)),
    ]);
    firsts.push({ line, ...first });
  }
  await link.close();
  const verdicts = firsts.filter(({ verdict }) => verdict === "healthy");
  const slowest = Math.max(...verdicts.map(({ atMs }) => atMs));
  printFigure(
    `first verdict, each of ${firsts.length} requests hanging alone`,
    ms(slowest),
    `the slowest of ${verdicts.length} that are healthy at once; target 3 s`,
  );
  for (const { line, atMs, verdict, pending } of firsts) {
    if (verdict !== "healthy") printFigure(`  ${verdict}, ${pending} checks pending`, ms(atMs), `hanging: ${line.slice(0, 100)}`);
  }
}

async function benchSize(certificates: number): Promise<void> {
  // The controller would try to issue them all.
  await cluster.reset("healthy");
  await cluster.stop("controller");
  await cluster.plane.store(
    Array.from({ length: certificates }, (_, index) => {
      const namespace = `team-${index % 200}`;
      const name = `web-${index}`;
      const object = {
        apiVersion: "cert-manager.io/v1",
        kind: "Certificate",
        metadata: { name, namespace, uid: randomUUID(), creationTimestamp: new Date().toISOString(), generation: 1 },
        spec: { secretName: name, dnsNames: [`${name}.example.com`], issuerRef: { name: "self-signed" } },
      };
      return { key: `/registry/cert-manager.io/certificates/${namespace}/${name}`, object };
    }),
  );
  const seen = await look(cluster.plane.server);
  const took = await median(() => look(cluster.plane.server));
  printFigure(
    `checkup beside ${certificates.toLocaleString("en")} Certificates`,
    ms(took),
    `${seen.requests} requests (target 45), ${Math.round(seen.bytes / 1024)} KiB`,
  );
}

/** One checkup as an administrator, by a connection of its own. */
async function look(server: string, ca = cluster.plane.ca, onProgress?: (soFar: Checkup) => void): Promise<Checkup> {
  const path = join(cluster.plane.folder, "bench.kubeconfig");
  writeFileSync(path, kubeconfig(server, ca, users.admin.token));
  const target = await openLiveTarget({ path });
  try {
    return await checkup(target.cluster, { ...target.input, windows: noWindows }, onProgress);
  } finally {
    await target.close();
  }
}

/** After one run that warms up. */
async function median(work: () => Promise<unknown>): Promise<number> {
  await work();
  return medianTime(runs, work);
}
