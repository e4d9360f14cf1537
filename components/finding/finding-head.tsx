import { RichText } from "@/components/ui/rich-text.tsx";
import { SeverityPill } from "@/components/ui/severity-pill.tsx";
import { toneOf } from "@/lib/client/tone.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ReportCheck } from "@/lib/model/report.ts";

/** What a check is about, and how it stands. */
export function FindingHead({ check, t }: { check: ReportCheck; t: Pick<Ui, "common" | "finding"> }) {
  const word = check.status === "fail" ? t.common.severity[check.severity] : t.common.status[check.status];
  // Where nothing fails, a text that describes the failure must not read as if it were here.
  const bad = check.status === "fail" || check.status === "settling";
  return (
    <header className="mb-7">
      <h1 className="mb-2 text-xl leading-tight font-semibold tracking-tight text-balance">
        <RichText text={check.title} />
      </h1>
      <p className="max-w-[72ch] text-muted">
        <span className="mr-2 inline-block align-[-0.1em]">
          <SeverityPill tone={toneOf(check)} word={word} />
        </span>
        <RichText text={bad ? check.why : fill(t.finding.wouldMean, { why: check.why })} />
      </p>
    </header>
  );
}
