import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { QueryProvider } from "@/components/shell/query-provider.tsx";
import { StatusPage } from "@/components/status/status-page.tsx";
import { queryClient } from "@/lib/client/query-client.ts";
import { statusQuery } from "@/lib/client/status-query.ts";
import { ui } from "@/lib/i18n/ui.ts";
import { statusView } from "@/lib/server/checkups.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: ui(await requestLocale()).status.title };
}

export default async function TeamStatusPage() {
  const locale = await requestLocale();
  const client = queryClient();
  client.setQueryData(statusQuery().queryKey, await statusView(locale));
  return (
    <QueryProvider>
      <HydrationBoundary state={dehydrate(client)}>
        <StatusPage locale={locale} />
      </HydrationBoundary>
    </QueryProvider>
  );
}
