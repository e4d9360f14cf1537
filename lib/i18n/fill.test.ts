import { expect, it } from "vitest";
import { fill, plural } from "./fill.ts";

it("fills in names and leaves unknown ones", () => {
  expect(fill("{a} in {b}", { a: "x" })).toBe("x in {b}");
});

it("chooses the form of the language", () => {
  const forms = { one: "{n} step", other: "{n} steps" };
  expect([1, 3].map((n) => plural(forms, n, "en"))).toEqual(["1 step", "3 steps"]);
  expect(plural({ other: "{n} 件" }, 1, "ja")).toBe("1 件");
});
