import { expect, it } from "vitest";
import { settlingProgress } from "./settling-steps.ts";

const states = (checks: Parameters<typeof settlingProgress>[0]) => settlingProgress(checks).map(({ state }) => state);

it("waits for the first step that isn't taken", () => {
  expect(
    states([
      { area: "pods", status: "pass" },
      { area: "cainjector", status: "settling" },
      { area: "ca-bundle", status: "settling" },
    ]),
  ).toEqual(["done", "now", "later", "later"]);
});

it("never takes the last step for done", () => {
  expect(states([{ area: "pods", status: "pass" }])).toEqual(["done", "done", "done", "now"]);
});
