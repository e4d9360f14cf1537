import { DiagnosisSkeleton } from "@/components/diagnosis/diagnosis-skeleton.tsx";
import { ui } from "@/lib/i18n/ui.ts";
import { requestLocale } from "@/lib/server/locale.ts";

export default async function DiagnosisLoading() {
  return (
    <div className="pt-20">
      <DiagnosisSkeleton label={ui(await requestLocale()).empty.checking} />
    </div>
  );
}
