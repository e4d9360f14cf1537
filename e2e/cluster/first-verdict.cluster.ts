import { gatherers } from "../../lib/gather/index.gen.ts";
import type { FactKey } from "../../lib/model/facts.ts";
import { expect, test } from "./test.ts";

/** Ways in which the API server waits for the webhook, and for how many milliseconds it does so. */
const hangs = [
  { kind: "hang", waits: 10_000 },
  { kind: "drop", waits: 30_000 },
] as const;

for (const { kind, waits } of hangs) {
  test(`a first verdict is there within 3 s while the API server waits for a webhook (${kind})`, async ({ cluster }) => {
    await cluster.reset("healthy");
    await cluster.run("kubectl -n cert-manager scale deployment cert-manager --replicas=0");
    await cluster.behind("cert-manager/cert-manager-webhook", { kind });
    const started = performance.now();
    const reported: { afterMs: number; verdict: string; roots: readonly string[]; pending: readonly string[] }[] = [];
    const last = await cluster.checkup({
      onProgress: ({ diagnosis }) =>
        reported.push({
          afterMs: performance.now() - started,
          verdict: diagnosis.verdict,
          roots: diagnosis.rootCauses.map((root) => root.check),
          pending: diagnosis.results.filter((result) => result.status === "pending").map((result) => result.check.id),
        }),
    });
    expect(last.durationMs).toBeGreaterThan(waits * 0.9);
    const early = reported.findLast(({ afterMs }) => afterMs < 3_000);
    expect(early).toMatchObject({ verdict: "broken", roots: ["deployment-scaled-to-zero"] });
    // All that is left to judge needs the API server's answer.
    const waiting = last.diagnosis.results.filter(({ check }) => early?.pending.includes(check.id));
    expect(waiting.filter(({ check }) => ![...check.needs, ...check.uses].some(waitsForProbe)).map(({ check }) => check.id)).toEqual([]);
    expect(waiting.length).toBeGreaterThan(0);
  });
}

/** Whether a fact is the API server's answer, or is asked for only when that is there. */
function waitsForProbe(fact: FactKey): boolean {
  const gatherer = gatherers.find((one) => one.fact === fact);
  return fact === "apiProbe" || (gatherer !== undefined && [...gatherer.needs, ...gatherer.uses].some(waitsForProbe));
}
