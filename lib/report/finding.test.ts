import { expect, test } from "vitest";
import { startSnapshotServer } from "../snapshot/server.ts";
import { checkupOfCase } from "../tools/fixture-checkup.ts";
import { findingOf } from "./finding.ts";

test("a check that is blind in this state names the rule, also of a fact that it only uses in others", async () => {
  const server = await startSnapshotServer();
  try {
    const checkup = await checkupOfCase(server, "finding", {
      case: "nothing runs, and CRDs may not be read",
      remove: ["Deployment", "Pod", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
      answers: { refused: [{ resource: "customresourcedefinitions", code: 403 }] },
      expect: { status: "unknown" },
    });
    const finding = findingOf(checkup, "not-installed", "en");
    expect(finding?.check.status).toBe("unknown");
    expect(finding?.missingRules.map((rule) => rule.resources)).toEqual([["customresourcedefinitions"]]);
    expect(findingOf(checkup, "no-such-check", "en")).toBeNull();
  } finally {
    await server.close();
  }
});
