import { expect, test, vi } from "vitest";

test("the token of the printed address gives one session, once", async () => {
  vi.stubEnv("CERTMEDIC_TOKEN", "s3cret");
  const { isSession, redeem } = await import("./sessions.ts");
  expect(redeem("wrong")).toBeNull();
  const session = redeem("s3cret");
  expect(session).toMatch(/^[\w-]{40,}$/);
  expect(redeem("s3cret")).toBeNull();
  expect(isSession(session ?? undefined)).toBe(true);
  expect(isSession("anything")).toBe(false);
  expect(isSession(undefined)).toBe(false);
});
