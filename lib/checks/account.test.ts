import { expect, test } from "vitest";
import type { Problem } from "../model/check.ts";
import type { CheckStatus } from "../model/report.ts";
import { accountFor, accountsFor, type Judged } from "./account.ts";
import { checks } from "./index.gen.ts";
import type { CheckResult } from "./run.ts";

function judged(statuses: Readonly<Record<string, CheckStatus>>, rootCauses: Judged["rootCauses"] = [], evidence = ""): Judged {
  const problems = [{ evidence: [{ object: { kind: "Pod", name: "a" }, path: "answer", value: evidence }] }] as unknown as readonly Problem[];
  const results = checks
    .filter((check) => check.id in statuses)
    .map((check) => ({ check, status: statuses[check.id], problems: statuses[check.id] === "fail" ? problems : [] }) as unknown as CheckResult);
  return { results, rootCauses };
}

const refused =
  'failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused';
const root = { check: "image-not-found", explains: ["webhook-no-endpoints", "webhook-connection-refused"], chain: [] };

test("a failing check accounts for the errors that name it, by its root", () => {
  const state = judged({ "webhook-connection-refused": "fail", "image-not-found": "fail" }, [root]);
  expect(accountFor(refused, state)).toMatchObject({ checks: ["webhook-connection-refused"], explained: true, by: "image-not-found", notOurs: null });
});

test("a check that passes accounts for nothing, whatever else fails", () => {
  const state = judged({ "webhook-connection-refused": "pass", "webhook-no-endpoints": "fail" }, [root]);
  expect(accountFor(refused, state)).toMatchObject({ explained: false, by: null });
});

test("where a check couldn't be judged, a failing cause of it accounts for the error", () => {
  const state = judged({ "webhook-connection-refused": "unknown", "webhook-no-endpoints": "fail", "image-not-found": "fail" }, [root]);
  expect(accountsFor("webhook-connection-refused", state)).toBe("image-not-found");
});

test("a check that fails because of an error accounts for that one", () => {
  const state = judged({ "webhook-connection-refused": "pass", "dependent-operator-too-early": "fail" }, [], refused);
  expect(accountFor(refused, state)).toMatchObject({ explained: true, by: "dependent-operator-too-early" });
});

test("another product's webhook is named by its product", () => {
  const text = 'failed calling webhook "validate.kyverno.svc-fail": EOF';
  expect(accountFor(text, judged({}))).toEqual({ text, checks: [], explained: false, by: null, notOurs: "Kyverno" });
  expect(accountFor('failed calling webhook "a.example.com": EOF', judged({}))).toMatchObject({ notOurs: "a.example.com" });
});
