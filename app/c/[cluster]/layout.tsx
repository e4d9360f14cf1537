import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { ClusterNote } from "@/components/shell/cluster-note.tsx";
import { QueryProvider } from "@/components/shell/query-provider.tsx";
import { requestTheme } from "@/components/shell/request-theme.ts";
import { RootCauseCount } from "@/components/shell/root-cause-count.tsx";
import { Shell } from "@/components/shell/shell.tsx";
import { checkupQuery } from "@/lib/client/checkup-query.ts";
import { queryClient } from "@/lib/client/query-client.ts";
import { ui } from "@/lib/i18n/ui.ts";
import { checkupView } from "@/lib/server/checkups.ts";
import { listClusters } from "@/lib/server/clusters.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export default async function ClusterLayout({ children, params }: { children: ReactNode; params: Promise<{ cluster: string }> }) {
  const [{ cluster: name }, locale, theme, clusters] = await Promise.all([params, requestLocale(), requestTheme(), listClusters()]);
  const view = await checkupView(name, locale);
  if (!view) notFound();
  const { shell } = ui(locale);
  const client = queryClient();
  client.setQueryData(checkupQuery(name).queryKey, view);
  const kind = view.cluster.demo ? shell.demo : view.cluster.kind === "snapshot" ? shell.snapshot : shell.readOnly;
  return (
    <QueryProvider>
      <HydrationBoundary state={dehydrate(client)}>
        <Shell
          current="diagnosis"
          cluster={view.cluster}
          clusters={clusters}
          note={<ClusterNote cluster={name} kubernetes={shell.kubernetes} kind={kind} />}
          count={<RootCauseCount cluster={name} forms={shell.rootCauses} locale={locale} />}
          theme={theme}
          locale={locale}
        >
          {children}
        </Shell>
      </HydrationBoundary>
    </QueryProvider>
  );
}
