import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";

test("a bundle that couldn't be opened is opened again at the next checkup", async () => {
  const folder = mkdtempSync(join(tmpdir(), "certmedic-server-"));
  vi.stubEnv("CERTMEDIC_SOURCE", JSON.stringify({ kind: "bundle", path: join(folder, "snapshot") }));
  const { checkAgain, checkupView, statusView } = await import("./checkups.ts");
  try {
    expect(await checkupView("snapshot", "en")).toMatchObject({ report: null, problem: { reason: "input", message: expect.stringContaining("snapshot") } });
    expect((await statusView("en")).clusters).toMatchObject([{ name: "snapshot", verdict: "unreachable" }]);
    cpSync("lib/snapshot/demo/healthy", join(folder, "snapshot"), { recursive: true });
    expect(await checkAgain("snapshot", "en")).toMatchObject({ running: true });
    await expect.poll(async () => (await checkupView("snapshot", "en"))?.report?.verdict, { timeout: 20_000 }).toBe("healthy");
    expect(await checkupView("nowhere", "en")).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
