import { expect, it } from "vitest";
import type { ReportFix, ReportProblem } from "../model/report.ts";
import { fixPlans } from "./fix-plans.ts";

const fix = (title: string, command: string, more: Partial<ReportFix> = {}): ReportFix => ({
  title,
  for: "kubectl",
  command,
  effect: "none",
  changes: "",
  undo: "",
  instead: false,
  ...more,
});
const problem = (...steps: ReportFix[]) => ({ fix: steps }) as unknown as ReportProblem;

it("makes alternatives of steps in a row with the same title", () => {
  const [plan] = fixPlans([problem(fix("Restart", "a", { for: "helm" }), fix("Restart", "b"), fix("Watch", "c"))]);
  expect(plan?.steps.map((step) => [step.title, step.ways.map((way) => way.tool)])).toEqual([
    ["Restart", ["helm", "kubectl"]],
    ["Watch", ["kubectl"]],
  ]);
});

it("shows a command once that repairs several problems", () => {
  const [plan, ...others] = fixPlans([problem(fix("Restart", "a"), fix("Watch", "w1")), problem(fix("Restart", "a"), fix("Watch", "w2"))]);
  expect(others).toEqual([]);
  expect(plan?.problems).toHaveLength(2);
  expect(plan?.steps.map((step) => step.ways[0]?.runs[0]?.commands)).toEqual([["a"], ["w1", "w2"]]);
});

it("keeps commands with different effects apart", () => {
  const [plan] = fixPlans([
    problem(fix("Delete", "a", { effect: "deletes-data", changes: "x" })),
    problem(fix("Delete", "b", { effect: "cluster", changes: "y" })),
  ]);
  expect(plan?.steps[0]?.ways[0]?.runs.map((run) => run.effect)).toEqual(["deletes-data", "cluster"]);
});

it("gives problems that differ their own plans, and those without a fix none", () => {
  expect(fixPlans([problem(fix("A", "a")), problem(), problem(fix("B", "b"))])).toHaveLength(2);
});

it("numbers the steps that follow one another, and not those that stand in for them", () => {
  const [plan] = fixPlans([problem(fix("Adopt", "a"), fix("Or delete", "b", { instead: true }), fix("Watch", "c"))]);
  expect(plan?.steps.map((step) => step.number)).toEqual([1, null, 2]);
});
