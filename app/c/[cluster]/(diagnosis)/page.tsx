import type { Metadata } from "next";
import { Diagnosis } from "@/components/diagnosis/diagnosis.tsx";
import { clusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { ui } from "@/lib/i18n/ui.ts";
import { findCluster } from "@/lib/server/clusters.ts";
import { requestLocale } from "@/lib/server/locale.ts";

interface Props {
  readonly params: Promise<{ cluster: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [{ cluster }, locale] = await Promise.all([params, requestLocale()]);
  return { title: `${ui(locale).bar.title} · ${(await findCluster(cluster))?.title ?? cluster}` };
}

/** The report is in the layout, which all pages of a cluster share. */
export default async function DiagnosisPage({ params, searchParams }: Props) {
  const [{ cluster }, { error }, locale] = await Promise.all([params, searchParams, requestLocale()]);
  return <Diagnosis key={cluster} cluster={cluster} error={typeof error === "string" ? error : ""} t={clusterTexts(locale)} />;
}
