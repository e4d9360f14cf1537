import type { ReactNode } from "react";
import { requestTheme } from "@/components/shell/request-theme.ts";
import { Shell } from "@/components/shell/shell.tsx";
import { listClusters } from "@/lib/server/clusters.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export default async function CatalogueLayout({ children }: { children: ReactNode }) {
  const [locale, theme, clusters] = await Promise.all([requestLocale(), requestTheme(), listClusters()]);
  return (
    <Shell current="catalogue" cluster={null} clusters={clusters} theme={theme} locale={locale}>
      {children}
    </Shell>
  );
}
