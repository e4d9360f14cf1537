import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Finding } from "@/components/finding/finding.tsx";
import { findingQuery } from "@/lib/client/finding-query.ts";
import { queryClient } from "@/lib/client/query-client.ts";
import { clusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { catalogueEntry } from "@/lib/server/catalogue.ts";
import { findingView } from "@/lib/server/checkups.ts";
import { findCluster } from "@/lib/server/clusters.ts";
import { requestLocale } from "@/lib/server/locale.ts";

interface Props {
  readonly params: Promise<{ cluster: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [{ cluster, id }, locale] = await Promise.all([params, requestLocale()]);
  return { title: `${catalogueEntry(id, locale)?.title ?? id} · ${(await findCluster(cluster))?.title ?? cluster}` };
}

export default async function FindingPage({ params }: Props) {
  const [{ cluster, id }, locale] = await Promise.all([params, requestLocale()]);
  const client = queryClient();
  client.setQueryData(findingQuery(cluster, id).queryKey, await findingView(cluster, id, locale));
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Finding key={id} cluster={cluster} id={id} t={clusterTexts(locale)} />
    </HydrationBoundary>
  );
}
