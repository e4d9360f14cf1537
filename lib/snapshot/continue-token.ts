/** Where the page after an object begins, as the API server writes it down. */
export function continueToken(lastKey: string): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: 1, start: `/${lastKey}\0` })).toString("base64url");
}

/** The key in the store from which on a page is wanted, or what is wrong with the token, in the API server's words where they aren't Go's. */
export function startOf(token: string | null): { readonly key: string } | { readonly wrong: string } {
  if (!token) return { key: "" };
  const illegal = token.search(/[^\w-]/);
  if (illegal >= 0 || token.length % 4 === 1) return { wrong: `illegal base64 data at input byte ${illegal >= 0 ? illegal : token.length - 1}` };
  try {
    const { v = "", rv, start } = JSON.parse(Buffer.from(token, "base64url").toString()) as { v?: string; rv?: number; start?: string };
    if (v !== "meta.k8s.io/v1") return { wrong: `server does not recognize this encoded version ${v}` };
    if (!rv) return { wrong: "incorrect encoded start resourceVersion (version meta.k8s.io/v1)" };
    return start ? { key: start.replace(/^\//, "") } : { wrong: "encoded start key empty (version meta.k8s.io/v1)" };
  } catch {
    return { wrong: "invalid character" };
  }
}
