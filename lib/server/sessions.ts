import "server-only";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { processState } from "./process-state.ts";

export const sessionCookie = "certmedic-session";

const state = processState("sessions", () => ({ token: process.env.CERTMEDIC_TOKEN ?? null, sessions: new Set<string>() }));

/** Exchanges the one-time token of the printed address for a session, or null where it is wrong or was used already. */
export function redeem(token: string): string | null {
  if (state.token === null || !sameText(token, state.token)) return null;
  state.token = null;
  const session = randomBytes(32).toString("base64url");
  state.sessions.add(session);
  return session;
}

/** Whether a cookie's value is a session of this process. */
export function isSession(value: string | undefined): boolean {
  return value !== undefined && [...state.sessions].some((session) => sameText(value, session));
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
