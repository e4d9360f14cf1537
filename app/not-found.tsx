import Link from "next/link";
import { requestTheme } from "@/components/shell/request-theme.ts";
import { Shell } from "@/components/shell/shell.tsx";
import { ui } from "@/lib/i18n/ui.ts";
import { listClusters } from "@/lib/server/clusters.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export default async function NotFound() {
  const [locale, theme, clusters] = await Promise.all([requestLocale(), requestTheme(), listClusters()]);
  const { notFound } = ui(locale);
  return (
    <Shell current={null} cluster={null} clusters={clusters} theme={theme} locale={locale}>
      <h1 className="pt-5 text-xl font-semibold tracking-tight">{notFound.title}</h1>
      <p className="mt-1 mb-4 text-muted">{notFound.text}</p>
      <ul className="max-w-120 overflow-hidden rounded-xl border border-line bg-surface">
        {clusters.map((cluster) => (
          <li key={cluster.name} className="border-t border-line first:border-t-0">
            <Link data-row="" href={`/c/${cluster.name}`} prefetch={false} className="block px-4 py-2.5 font-medium -outline-offset-2 hover:bg-raised/60">
              {cluster.title}
              <span className="ml-3 font-mono text-xs font-normal text-faint">{cluster.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Shell>
  );
}
