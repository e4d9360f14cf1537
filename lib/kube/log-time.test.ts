import { expect, test } from "vitest";
import { logTime } from "./log-time.ts";

test.each([
  ["of the same day", 'I1201 00:15:12.890533      67 ???:1] "http: TLS handshake error"', "2026-12-01T01:19:30Z", "2026-12-01T00:15:12.890Z"],
  ["of last year", 'E1231 23:59:59.000001       1 authority.go:275] "error ensuring CA"', "2027-01-01T00:10:00Z", "2026-12-31T23:59:59.000Z"],
  ["by a clock that is ahead over New Year", 'W0101 00:00:05.000000       1 a.go:1] "x"', "2026-12-31T23:59:50Z", "2027-01-01T00:00:05.000Z"],
  ["in JSON", '{"ts":1796084122890.5,"logger":"cert-manager","msg":"x"}', "2026-12-01T01:19:30Z", "2026-12-01T00:15:22.890Z"],
])("a line %s", (_, line, now, time) => {
  expect(logTime(line, new Date(now))?.toISOString()).toBe(time);
});

test.each(["goroutine 1 [running]:", "", "I13 nonsense", '"ts":12'])("a line that doesn't say its time: %s", (line) => {
  expect(logTime(line, new Date("2026-12-01T01:19:30Z"))).toBeNull();
});
