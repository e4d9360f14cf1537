import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import { redirect } from "next/navigation";
import { QueryProvider } from "@/components/shell/query-provider.tsx";
import { requestTheme } from "@/components/shell/request-theme.ts";
import { Shell } from "@/components/shell/shell.tsx";
import { ClusterList } from "@/components/status/cluster-list.tsx";
import { CodeBlock } from "@/components/ui/code-block.tsx";
import { queryClient } from "@/lib/client/query-client.ts";
import { statusQuery } from "@/lib/client/status-query.ts";
import { ui } from "@/lib/i18n/ui.ts";
import { statusView } from "@/lib/server/checkups.ts";
import { listClusters } from "@/lib/server/clusters.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export default async function HomePage() {
  const clusters = await listClusters();
  const [first, ...others] = clusters;
  if (first && others.length === 0) redirect(`/c/${first.name}`);
  const [locale, theme] = await Promise.all([requestLocale(), requestTheme()]);
  const { home, common } = ui(locale);
  const client = queryClient();
  client.setQueryData(statusQuery().queryKey, await statusView(locale));
  return (
    <Shell current="clusters" cluster={null} clusters={clusters} theme={theme} locale={locale}>
      <h1 className="pt-5 text-xl font-semibold tracking-tight">{home.title}</h1>
      <p className="mt-0.5 mb-6 text-muted">{home.lead}</p>
      <QueryProvider>
        <HydrationBoundary state={dehydrate(client)}>
          <ClusterList clusters={clusters} label={home.list} t={common} />
        </HydrationBoundary>
      </QueryProvider>
      {clusters.some((cluster) => cluster.demo) ? (
        <div className="mt-6 grid max-w-[72ch] gap-2.5 text-muted">
          <p>{home.demo}</p>
          <CodeBlock text={home.demoCommand} t={common} />
        </div>
      ) : null}
    </Shell>
  );
}
