/** The rules that every request must keep (security.md 3 and 6). Pure. */

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** Whether a Host header names this machine only: another name may be a page of the internet rebound to loopback. */
export function isLoopbackHost(host: string | null): boolean {
  return host !== null && loopback.test(host.toLowerCase());
}

/** Whether an unsafe request comes from a page of ours: the browser says so, or its Origin is our own. */
export function isSameOrigin(headers: { get(name: string): string | null }): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site !== null && site !== "same-origin") return false;
  if (origin === null) return site === "same-origin";
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/** Everything comes from this server, scripts only with the request's nonce. */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    // React's development build evaluates code to show stacks.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
