import { describe, expect, test } from "vitest";
import { contentSecurityPolicy, isLoopbackHost, isSameOrigin } from "./trust.ts";

describe("Host (DNS rebinding)", () => {
  test.each(["127.0.0.1:3000", "localhost:3000", "LOCALHOST", "127.8.9.10:80", "[::1]:3000"])("%s is this machine", (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  test.each([
    null,
    "",
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:3000",
    "localhost.",
    "localhost:3000@evil.example",
    "[::1].evil.example",
    "10.0.0.5:3000",
    "0.0.0.0:3000",
  ])("%s is not", (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

describe("Origin and Sec-Fetch-Site of unsafe requests", () => {
  const headers = (entries: Record<string, string>) => new Headers({ host: "127.0.0.1:3000", ...entries });

  test("our own page", () => {
    expect(isSameOrigin(headers({ origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-origin" }))).toBe(true);
    expect(isSameOrigin(headers({ "sec-fetch-site": "same-origin" }))).toBe(true);
    expect(isSameOrigin(headers({ origin: "http://127.0.0.1:3000" }))).toBe(true);
  });

  test.each([
    { origin: "http://evil.example" },
    { origin: "http://127.0.0.1:4000" },
    { origin: "null" },
    { origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-site" },
    { origin: "http://127.0.0.1:3000", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
    {},
  ])("%j is somebody else", (entries) => {
    expect(isSameOrigin(headers(entries as Record<string, string>))).toBe(false);
  });
});

test("a page may load scripts with its nonce only, and nothing from elsewhere", () => {
  const policy = contentSecurityPolicy("abc", false);
  expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
  expect(policy).not.toContain("unsafe");
  expect(policy).toContain("frame-ancestors 'none'");
});
