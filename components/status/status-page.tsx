import { BrandMark } from "@/components/shell/brand-mark.tsx";
import type { Locale } from "@/lib/i18n/locales.ts";
import { ui } from "@/lib/i18n/ui.ts";
import { StatusBoard } from "./status-board.tsx";

/** The team's view: no navigation to anything that acts. */
export function StatusPage({ locale }: { locale: Locale }) {
  const { common, status } = ui(locale);
  return (
    <div className="mx-auto max-w-[46rem] px-4 pb-16">
      <header className="flex items-center gap-2.5 py-6 font-semibold tracking-tight">
        <BrandMark />
        {status.title}
      </header>
      <main>
        <StatusBoard locale={locale} t={{ common, status }} />
      </main>
      <footer className="mt-4 text-xs text-faint">{status.lead}</footer>
    </div>
  );
}
