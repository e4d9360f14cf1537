import { expect, it } from "vitest";
import type { ReportCheck } from "../model/report.ts";
import { checklistOf } from "./checklist.ts";

const check = (id: string, status: ReportCheck["status"], severity: ReportCheck["severity"] = "blocker") => ({ id, status, severity }) as ReportCheck;
const ids = (rows: readonly { check: ReportCheck; consequence: boolean }[]) => rows.map((row) => (row.consequence ? `- ${row.check.id}` : row.check.id));

it("puts consequences under their root cause, once", () => {
  const { failing } = checklistOf({
    checks: [check("effect", "fail"), check("b", "fail"), check("a", "fail")],
    rootCauses: [
      { check: "a", explains: ["effect"], chain: ["effect"] },
      { check: "b", explains: ["effect"], chain: ["effect"] },
    ],
  });
  expect(ids(failing)).toEqual(["a", "- effect", "b"]);
  expect(failing.map((row) => row.explains)).toEqual([1, 0, 0]);
});

it("keeps root causes that break nothing apart", () => {
  const { roots, failing, warnings } = checklistOf({
    checks: [check("old", "fail", "warning"), check("down", "fail", "degraded")],
    rootCauses: [
      { check: "down", explains: [], chain: [] },
      { check: "old", explains: [], chain: [] },
    ],
  });
  expect(roots.map((root) => root.check.id)).toEqual(["down"]);
  expect(ids(failing)).toEqual(["down"]);
  expect(ids(warnings)).toEqual(["old"]);
});

it("sorts the rest by status", () => {
  const list = checklistOf({ checks: [check("p", "pass"), check("u", "unknown"), check("n", "not-applicable"), check("s", "settling")], rootCauses: [] });
  expect([list.passed, list.unknown, list.notApplicable, list.settling].map((group) => group.map((one) => one.id))).toEqual([["p"], ["u"], ["n"], ["s"]]);
});
