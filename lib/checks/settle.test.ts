import { expect, test } from "vitest";
import type { Check, Problem } from "../model/check.ts";
import type { CheckResult } from "./run.ts";
import { settleEffects } from "./settle.ts";

function result(id: string, status: CheckResult["status"], causedBy: readonly string[], problem: Partial<Problem> = {}): CheckResult {
  const check = { id, area: "pods", severity: "blocker", needs: [], uses: [], causedBy, sources: [], strings: {} } as unknown as Check;
  const whole: Problem = { key: "k", severity: "blocker", subject: { kind: "Pod", name: id }, evidence: [], fix: [], ...problem };
  return { check, status, headline: { key: "headline" }, because: [], ruledOut: [], problems: [whole], recovering: true };
}

const statuses = (results: readonly CheckResult[]) => settleEffects(results).map((one) => one.status);

test("what waits for something that settles settles too, over any number of steps", () => {
  const lease = result("lease", "settling", []);
  const bundle = result("bundle", "fail", ["lease"], { transient: true });
  const probe = result("probe", "fail", ["bundle"], { transient: true });
  expect(statuses([probe, bundle, lease])).toEqual(["settling", "settling", "settling"]);
});

test("what is never normal fails all the same", () => {
  expect(statuses([result("lease", "settling", []), result("bundle", "fail", ["lease"])])).toEqual(["settling", "fail"]);
});

test("a cause that fails or belongs to another install doesn't excuse it", () => {
  const effect = result("effect", "fail", ["cause"], { transient: true, install: "team-a" });
  expect(statuses([result("cause", "fail", []), effect])).toEqual(["fail", "fail"]);
  expect(statuses([result("cause", "settling", [], { install: "team-b" }), effect])).toEqual(["settling", "fail"]);
});
