import { expect, test } from "vitest";
import type { Check, Problem } from "../model/check.ts";
import { linkCauses } from "./link.ts";
import type { CheckResult } from "./run.ts";

function failing(id: string, causedBy: readonly string[], problem: Partial<Problem> = {}, area: Check["area"] = "pods"): CheckResult {
  const check = { id, area, severity: "blocker", needs: [], uses: [], causedBy, sources: [], strings: {} } as unknown as Check;
  const whole: Problem = { key: "k", severity: "blocker", subject: { kind: "Pod", name: id }, evidence: [], fix: [], ...problem };
  return { check, status: "fail", headline: { key: "headline" }, because: [], ruledOut: [], problems: [whole], recovering: false };
}

const ids = (results: readonly CheckResult[]) => linkCauses(results).map((root) => [root.check, root.explains]);

test("a failing check whose cause fails too is a consequence", () => {
  expect(ids([failing("effect", ["cause", "other"]), failing("cause", [])])).toEqual([["cause", ["effect"]]]);
});

test("another component's failure explains nothing", () => {
  const cause = failing("cause", [], { component: "controller" });
  const effect = failing("effect", ["cause"], { component: "webhook" });
  expect(ids([cause, effect]).map(([id]) => id)).toEqual(["cause", "effect"]);
});

test("another install's failure explains nothing, one about the whole cluster does", () => {
  const effect = failing("effect", ["cause"], { install: "team-a" });
  expect(ids([failing("cause", [], { install: "team-b" }), effect]).map(([id]) => id)).toEqual(["cause", "effect"]);
  expect(ids([failing("cause", []), effect])).toEqual([["cause", ["effect"]]]);
});

test("a check that doesn't fail causes nothing", () => {
  const cause: CheckResult = { ...failing("cause", []), status: "settling" };
  expect(ids([cause, failing("effect", ["cause"])])).toEqual([["effect", []]]);
});

test("a cause that couldn't be judged hands on its own causes, one that was judged doesn't", () => {
  const between = (status: CheckResult["status"]): CheckResult => ({ ...failing("between", ["root"]), status, problems: [] });
  const results = (status: CheckResult["status"]) => [failing("root", []), between(status), failing("effect", ["between"])];
  expect(ids(results("unknown"))).toEqual([["root", ["effect"]]]);
  expect(ids(results("pending"))).toEqual([["root", ["effect"]]]);
  for (const judged of ["pass", "not-applicable"] as const) expect(ids(results(judged)).map(([id]) => id)).toEqual(["root", "effect"]);
});

test("what is only partly explained is a root too", () => {
  const effect = failing("effect", ["cause"], { install: "team-a" });
  const both = { ...effect, problems: [...effect.problems, { ...(effect.problems[0] as Problem), install: "team-b" }] };
  expect(ids([failing("cause", [], { install: "team-a" }), both])).toEqual([
    ["cause", ["effect"]],
    ["effect", []],
  ]);
});

test("a mild cause ranks by the worst of what it leads to", () => {
  const idle = failing("idle", [], { severity: "info" });
  const degraded = failing("degraded", [], { severity: "degraded" });
  expect(ids([degraded, idle, failing("effect", ["idle"])]).map(([id]) => id)).toEqual(["idle", "degraded"]);
});

test("blockers come first, then what explains most, then the lower layer", () => {
  const warning = failing("warning", [], { severity: "warning" });
  const small = failing("small", []);
  const upper = failing("upper", [], {}, "api-probe");
  const big = failing("big", [], {}, "cainjector");
  expect(ids([warning, upper, small, big, failing("effect", ["big"])]).map(([id]) => id)).toEqual(["big", "small", "upper", "warning"]);
});

test("the chain is a way of causes and effects to what is seen last", () => {
  const results = [
    failing("root", []),
    failing("side", ["root"], {}, "ca-bundle"),
    failing("middle", ["root"], {}, "webhook-reachability"),
    failing("last", ["middle"], {}, "api-probe"),
  ];
  expect(linkCauses(results)).toEqual([{ check: "root", explains: ["side", "middle", "last"], chain: ["middle", "last"] }]);
});
