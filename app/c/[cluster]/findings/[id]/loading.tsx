import { FindingSkeleton } from "@/components/finding/finding-skeleton.tsx";
import { ui } from "@/lib/i18n/ui.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export default async function FindingLoading() {
  return <FindingSkeleton label={ui(await requestLocale()).empty.checking} />;
}
