import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const pages = ["/", "/c/ca-not-injected", "/c/ca-not-injected/findings/ca-bundle-empty", "/checks", "/checks/ca-bundle-empty", "/status"];

/** The JavaScript that a page loads first, in KiB gzip: all of it, the framework's floor, and what is ours on top. */
export async function firstLoad(server: string, floor: number): Promise<readonly { path: string; total: number; ours: number }[]> {
  return Promise.all(
    pages.map(async (path) => {
      const html = await fetch(server + path).then((answer) => answer.text());
      const scripts = await Promise.all(scriptsIn(html).map((src) => fetch(server + src).then((answer) => answer.text())));
      const total = kib(scripts);
      return { path, total, ours: total - floor };
    }),
  );
}

/** Scripts of the page itself; `nomodule` ones are for browsers that nobody has any more. */
function scriptsIn(html: string): readonly string[] {
  const tags = html.match(/<script[^>]*\ssrc="[^"]+"[^>]*>/g) ?? [];
  return [...new Set(tags.filter((tag) => !/nomodule/i.test(tag)).flatMap((tag) => /\ssrc="([^"]+)"/.exec(tag)?.[1] ?? []))];
}

function kib(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0) / 1024;
}

/** The floor: what an app of one page loads that has Next with a link, React and one hydrated query, in KiB gzip. Builds it. */
export function firstLoadFloor(): number {
  const folder = mkdtempSync(join(process.cwd(), ".next", "floor-"));
  try {
    mkdirSync(join(folder, "app"));
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "floor", private: true, type: "module" }));
    writeFileSync(join(folder, "next.config.js"), `export default { turbopack: { root: ${JSON.stringify(process.cwd())} } };`);
    writeFileSync(join(folder, "app", "layout.jsx"), "export default function Layout({ children }) { return <html><body>{children}</body></html>; }");
    writeFileSync(
      join(folder, "app", "page.jsx"),
      '"use client"; import { dehydrate, HydrationBoundary, QueryClient, QueryClientProvider, useSuspenseQuery } from "@tanstack/react-query"; import Link from "next/link"; const client = new QueryClient(); function One() { return <Link href="/">{useSuspenseQuery({ queryKey: ["a"], queryFn: () => 1 }).data}</Link>; } export default function Page() { return <QueryClientProvider client={client}><HydrationBoundary state={dehydrate(client)}><One /></HydrationBoundary></QueryClientProvider>; }',
    );
    const next = join(process.cwd(), "node_modules", "next", "dist", "bin", "next");
    const built = spawnSync(process.execPath, [next, "build"], { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" }, encoding: "utf8" });
    if (built.status !== 0) throw new Error(`the floor didn't build: ${built.stdout}${built.stderr}`);
    const html = readFileSync(join(folder, ".next", "server", "app", "index.html"), "utf8");
    const chunks = readdirSync(join(folder, ".next", "static"), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".js"));
    const scripts = scriptsIn(html).flatMap((src) => {
      const file = chunks.find((chunk) => src.includes(chunk));
      return file ? [readFileSync(join(folder, ".next", "static", file), "utf8")] : [];
    });
    return kib(scripts);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
