import { expect, it } from "vitest";
import { ageText, timeText } from "./age-text.ts";

const at = "2026-11-30T12:00:00Z";
const later = (seconds: number) => Date.parse(at) + seconds * 1_000;

it.each([
  [3, "3s ago"],
  [59, "59s ago"],
  [60, "1m ago"],
  [7_300, "2h ago"],
  [200_000, "2d ago"],
])("says how long ago %i seconds are", (seconds, text) => {
  expect(ageText(at, later(seconds), "en")).toBe(text);
});

it("counts a time that lies ahead as now", () => {
  expect(ageText(at, later(-5), "en")).toBe("0s ago");
});

it("writes times in UTC, in the reader's language", () => {
  expect(timeText(at, "en")).toBe("Nov 30, 2026, 12:00 UTC");
  expect(timeText(at, "ja")).toContain("2026/11/30");
});
