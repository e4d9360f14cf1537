import "server-only";
import { cookies } from "next/headers";
import { isSession, sessionCookie } from "./sessions.ts";

/** Whether this browser opened the address that was printed at start. */
export async function hasSession(): Promise<boolean> {
  return isSession((await cookies()).get(sessionCookie)?.value);
}
