import { type NextRequest, NextResponse } from "next/server";
import { isSession, redeem, sessionCookie } from "./lib/server/sessions.ts";
import { contentSecurityPolicy, isLoopbackHost, isSameOrigin } from "./lib/server/trust.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** The gate that every request passes: who is asked for, who asks, and what the page may load (security.md 3 and 6). */
export function proxy(request: NextRequest): NextResponse {
  if (!isLoopbackHost(request.headers.get("host"))) return refuse(403, "This dashboard answers on this machine only: open it as http://127.0.0.1.");
  if (!safeMethods.includes(request.method)) {
    if (!isSameOrigin(request.headers)) return refuse(403, "This request comes from another site.");
    if (!isSession(request.cookies.get(sessionCookie)?.value))
      return refuse(401, "This browser has no session. Open the address that `npm start` printed; it works once, so start again for another browser.");
  }
  const token = request.nextUrl.searchParams.get("token");
  return withHeaders(token === null ? carryOn(request) : signIn(request, token));
}

function carryOn(request: NextRequest): { response: NextResponse; policy: string } {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  return { response: NextResponse.next({ request: { headers } }), policy };
}

/** Takes the token out of the address, whether it was good or not, so that it can't be passed on by accident. */
function signIn(request: NextRequest, token: string): { response: NextResponse; policy: string } {
  // By the Host header: behind a forwarded port the browser knows another port than we do.
  const clean = new URL(request.nextUrl.pathname + request.nextUrl.search, `http://${request.headers.get("host")}`);
  clean.searchParams.delete("token");
  const response = NextResponse.redirect(clean, 303);
  const session = redeem(token);
  if (session) response.cookies.set(sessionCookie, session, { httpOnly: true, sameSite: "strict", path: "/" });
  return { response, policy: "default-src 'none'" };
}

function withHeaders({ response, policy }: { response: NextResponse; policy: string }): NextResponse {
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}

function refuse(status: number, message: string): NextResponse {
  return withHeaders({ response: NextResponse.json({ message }, { status }), policy: "default-src 'none'" });
}
