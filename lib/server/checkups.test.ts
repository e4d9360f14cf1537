import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";

test("a bundle that couldn't be opened is opened again at the next checkup", async () => {
  const folder = mkdtempSync(join(tmpdir(), "certmedic-server-"));
  vi.stubEnv("CERTMEDIC_SOURCE", JSON.stringify({ kind: "bundle", path: join(folder, "snapshot") }));
  const { checkAgain, checkupView, dropReported, report, statusView } = await import("./checkups.ts");
  try {
    expect(await checkupView("snapshot", "en")).toMatchObject({ report: null, problem: { reason: "input", message: expect.stringContaining("snapshot") } });
    expect((await statusView("en")).clusters).toMatchObject([{ name: "snapshot", verdict: "unreachable" }]);
    cpSync("lib/snapshot/demo/healthy", join(folder, "snapshot"), { recursive: true });
    expect(await checkAgain("snapshot", "en")).toMatchObject({ running: true });
    await expect.poll(async () => (await checkupView("snapshot", "en"))?.report?.verdict, { timeout: 20_000 }).toBe("healthy");
    expect(await checkupView("nowhere", "en")).toBeNull();

    // What people add is part of the next report, also where one is being made; what they take out isn't.
    const foreign = 'failed calling webhook "validate.kyverno.svc-fail": EOF';
    await checkAgain("snapshot", "en");
    expect(await report("snapshot", `$ kubectl apply\n${foreign}\n`, "en")).toMatchObject({ running: true, reported: [foreign] });
    const seen = async () => (await checkupView("snapshot", "en"))?.report?.reportedErrors.find((error) => error.text === foreign)?.notOurs;
    await expect.poll(seen, { timeout: 20_000 }).toBe("Kyverno");
    await dropReported("snapshot", foreign, "en");
    await expect.poll(seen, { timeout: 20_000 }).toBeUndefined();
    expect(await report("nowhere", foreign, "en")).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
