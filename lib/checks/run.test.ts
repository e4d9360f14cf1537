import { expect, test } from "vitest";
import { type Check, defaultWindows, type Outcome, type Problem } from "../model/check.ts";
import type { Fact, Facts } from "../model/facts.ts";
import type { Deployment, Pod } from "../model/kubernetes.ts";
import { runCheck } from "./run.ts";

const now = new Date("2026-11-30T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
const known = <T>(value: T): Fact<T> => ({ state: "known", value });

function deployment(age: number): Deployment {
  const labels = { "app.kubernetes.io/component": "webhook", "app.kubernetes.io/instance": "cert-manager" };
  const metadata = { name: "cert-manager-webhook", namespace: "cert-manager", labels, creationTimestamp: ago(age) };
  return {
    kind: "Deployment",
    metadata,
    spec: { template: { spec: { containers: [{ name: "cert-manager-webhook", image: "cert-manager-webhook:v1.21.1" }] } } },
  };
}

function pod(age: number): Pod {
  return { kind: "Pod", metadata: { name: "p", namespace: "cert-manager", creationTimestamp: ago(age) }, spec: { containers: [] } };
}

function facts(of: Partial<Facts>): Facts {
  const pending: Fact<never> = { state: "pending" };
  return { webhooks: pending, crds: pending, caSecrets: pending, deployments: pending, pods: pending, ...of } as Facts;
}

const problem: Problem = { key: "k", severity: "blocker", subject: { kind: "Pod", name: "p" }, install: "cert-manager", evidence: [], fix: [] };

function check(run: () => Outcome, needs: Check["needs"] = ["deployments"]): Check {
  return { id: "c", area: "pods", severity: "blocker", needs, uses: [], causedBy: [], sources: [], strings: {}, run } as unknown as Check;
}

const statusOf = (one: Check, given: Facts) => runCheck(one, given, now, defaultWindows).status;

test("a need that isn't known never reaches the check", () => {
  const never = check(() => {
    throw new Error("reached");
  });
  const missing: Fact<never> = { state: "missing", reason: "forbidden", detail: "no" };
  expect(runCheck(never, facts({ deployments: missing }), now, defaultWindows)).toMatchObject({
    status: "unknown",
    because: [{ from: "missing", fact: "deployments", reason: "forbidden", detail: "no" }],
  });
  expect(statusOf(never, facts({}))).toBe("pending");
  expect(statusOf(never, facts({ deployments: { state: "not-asked", because: "snapshot" } }))).toBe("not-applicable");
});

test("what couldn't be read counts before what is on its way and what wasn't asked", () => {
  const never = check(() => ({ status: "pass" }), ["deployments", "pods", "webhooks"]);
  const missing: Fact<never> = { state: "missing", reason: "timeout", detail: "slow" };
  expect(statusOf(never, facts({ deployments: { state: "not-asked", because: "snapshot" }, webhooks: missing }))).toBe("unknown");
});

test("a check that throws is unknown, with what it threw", () => {
  const thrower = check(() => {
    throw new Error("a bug");
  });
  expect(runCheck(thrower, facts({ deployments: known([]) }), now, defaultWindows)).toMatchObject({
    status: "unknown",
    because: [{ from: "thrown", detail: "a bug" }],
  });
});

test("a transient failure settles while the install is young, and fails afterwards", () => {
  const transient = check(() => ({ status: "fail", problems: [{ ...problem, transient: true }] }));
  expect(statusOf(transient, facts({ deployments: known([deployment(20)]) }))).toBe("settling");
  expect(statusOf(transient, facts({ deployments: known([deployment(200)]) }))).toBe("fail");
});

test("what isn't transient fails at once, and so does an install that nothing is known of", () => {
  const lasting = check(() => ({ status: "fail", problems: [problem, { ...problem, transient: true }] }));
  expect(statusOf(lasting, facts({ deployments: known([deployment(20)]) }))).toBe("fail");
  const transient = check(() => ({ status: "fail", problems: [{ ...problem, transient: true }] }));
  expect(statusOf(transient, facts({ deployments: known([]) }))).toBe("fail");
});

test("pods that start again in an old install don't turn red into blue: the failure is marked recovering", () => {
  const transient = check(() => ({ status: "fail", problems: [{ ...problem, transient: true }] }));
  const result = runCheck(transient, facts({ deployments: known([deployment(90_000)]), pods: known([pod(10)]) }), now, defaultWindows);
  expect(result).toMatchObject({ status: "fail", recovering: true });
});

test("the worst problem comes first", () => {
  const mixed = check(() => ({
    status: "fail",
    problems: [
      { ...problem, severity: "warning" },
      { ...problem, severity: "blocker" },
    ],
  }));
  const result = runCheck(mixed, facts({ deployments: known([]) }), now, defaultWindows);
  expect(result.problems.map((one) => one.severity)).toEqual(["blocker", "warning"]);
});

test("a check may need in one state what it only uses otherwise: the runner says why it isn't there", () => {
  const asking = check(() => ({ status: "needs", fact: "pods" }));
  const missing: Fact<never> = { state: "missing", reason: "forbidden", detail: "no" };
  expect(statusOf(asking, facts({ deployments: known([]), pods: missing }))).toBe("unknown");
  expect(statusOf(asking, facts({ deployments: known([]) }))).toBe("pending");
  expect(runCheck(asking, facts({ deployments: known([]), pods: known([]) }), now, defaultWindows).because).toEqual([
    { from: "thrown", detail: "pods is known" },
  ]);
});
