import type { Container } from "../model/kubernetes.ts";

/** The proxy by which a process with this environment calls an HTTPS address at `host`, as Go reads it; undefined where it calls directly. */
export function proxyFor(host: string, env: NonNullable<Container["env"]>): { readonly variable: string; readonly proxy: string } | undefined {
  const chosen = env.find(({ name, value }) => /^https_proxy$/i.test(name) && value);
  const exceptions = env.find(({ name, value }) => /^no_proxy$/i.test(name) && value)?.value ?? "";
  return chosen?.value && !isExcepted(host, exceptions) ? { variable: chosen.name, proxy: chosen.value } : undefined;
}

/** A name in NO_PROXY stands for itself and what is below it, with a dot before it for the latter alone. Ranges of addresses match no names. */
function isExcepted(host: string, exceptions: string): boolean {
  return exceptions.split(",").some((entry) => {
    const name = entry.trim().toLowerCase().replace(/:443$/, "").replace(/^\*\./, ".");
    if (name === "*") return true;
    return name !== "" && (name === host || host.endsWith(name.startsWith(".") ? name : `.${name}`));
  });
}
