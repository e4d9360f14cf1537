import { expect, test } from "vitest";
import { fixtureCases } from "../checks/fixture.ts";
import type { Verdict } from "../model/report.ts";
import { startSnapshotServer } from "../snapshot/server.ts";
import { checkupOfCase } from "../tools/fixture-checkup.ts";

/** Every rung of the ladder in contract.md (Statuses and verdict), as a difference to the healthy demo cluster. */
test.each<[Verdict, string, Parameters<typeof checkupOfCase>[2]]>([
  ["healthy", "nothing failing", { case: "healthy", expect: { status: "pass" } }],
  [
    "broken",
    "a failing blocker",
    { case: "broken", set: { "Deployment/cert-manager/cert-manager-webhook": { "spec.replicas": 0 } }, expect: { status: "fail" } },
  ],
  [
    "unknown",
    "a check that can find a blocker is blind, and the API probe didn't pass",
    {
      case: "blind",
      answers: {
        refused: [
          { resource: "pods", code: 403 },
          { resource: "certificaterequests", code: 403 },
        ],
      },
      expect: { status: "unknown" },
    },
  ],
  [
    "healthy",
    "the same, but the API probe passed",
    { case: "blind but probed", answers: { refused: [{ resource: "pods", code: 403 }] }, expect: { status: "unknown" } },
  ],
])("%s: %s", async (verdict, _, one) => {
  const server = await startSnapshotServer();
  try {
    expect((await checkupOfCase(server, "verdict", one)).diagnosis.verdict).toBe(verdict);
  } finally {
    await server.close();
  }
});

test("not-installed only where all three could be looked for", async () => {
  const server = await startSnapshotServer();
  const [empty] = fixtureCases("lib/checks", "not-installed").filter((one) => one.expect.status === "fail");
  try {
    if (!empty) throw new Error("not-installed has no failing case");
    expect((await checkupOfCase(server, "verdict", empty)).diagnosis.verdict).toBe("not-installed");
    const blind = { ...empty, answers: { ...empty.answers, refused: [{ resource: "deployments", code: 403 }] } };
    expect((await checkupOfCase(server, "verdict", blind)).diagnosis.verdict).toBe("unknown");
  } finally {
    await server.close();
  }
});
