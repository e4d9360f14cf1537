import { RichText } from "@/components/ui/rich-text.tsx";
import { SeverityPill } from "@/components/ui/severity-pill.tsx";
import { toneOf } from "@/lib/client/tone.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ReportCheck } from "@/lib/model/report.ts";

/** What a check is about, and how it stands. */
export function FindingHead({ check, t }: { check: ReportCheck; t: Ui["common"] }) {
  const word = check.status === "fail" ? t.severity[check.severity] : t.status[check.status];
  return (
    <header className="mb-7">
      <h1 className="mb-2 text-xl leading-tight font-semibold tracking-tight text-balance">
        <RichText text={check.title} />
      </h1>
      <p className="max-w-[72ch] text-muted">
        <span className="mr-2 inline-block align-[-0.1em]">
          <SeverityPill tone={toneOf(check)} word={word} />
        </span>
        <RichText text={check.why} />
      </p>
    </header>
  );
}
