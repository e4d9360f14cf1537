import Link from "next/link";
import { EvidenceRows } from "@/components/evidence/evidence-rows.tsx";
import { buttonLook } from "@/components/ui/button-look.ts";
import { RichText } from "@/components/ui/rich-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Root } from "@/lib/client/checklist.ts";
import { evidenceDigest } from "@/lib/client/evidence-digest.ts";
import { fixPlans, numbered } from "@/lib/client/fix-plans.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill, plural } from "@/lib/i18n/fill.ts";
import type { Report } from "@/lib/model/report.ts";
import { CauseChain } from "./cause-chain.tsx";

/** How much evidence a card shows: enough to believe it, the rest is one click away. */
const shownEvidence = 4;

/** One root cause: what it is, what follows from it, why it is believed, and the way to its fix. */
export function RootCauseCard({ root, report, href, t }: { root: Root; report: Report; href: (id: string) => string; t: ClusterTexts }) {
  const { check, consequences } = root;
  const explained = [check, ...consequences].map((one) => one.id);
  const saw = report.reportedErrors.filter((error) => error.explained && error.checks.some((id) => explained.includes(id))).map((error) => error.text);
  const evidence = evidenceDigest(check.problems.flatMap((problem) => problem.evidence)).slice(0, shownEvidence);
  const [plan] = fixPlans(check.problems);
  const first = plan?.steps[0];
  const run = first?.ways[0]?.runs[0];
  const page = href(check.id);
  return (
    <article className="mb-4 overflow-hidden rounded-xl border border-line bg-surface">
      <header className="flex gap-3 px-4 pt-4.5 wide:px-5">
        <StatusIcon tone={check.severity} word={t.common.severity[check.severity]} className="mt-0.5 size-5" />
        <div className="min-w-0">
          <h3 className="mb-0.5 text-lg leading-snug font-semibold tracking-tight">
            <RichText text={check.title} />
          </h3>
          <p className="max-w-[68ch] text-muted">
            <RichText text={check.why} />
          </p>
        </div>
      </header>
      <CauseChain root={root} saw={saw} href={href} t={t} />
      {evidence.length > 0 ? (
        <div className="mt-4.5 border-t border-line bg-sunken px-4 py-3 wide:px-5">
          <EvidenceRows rows={evidence} tone={check.severity} locale={t.locale} t={t} />
        </div>
      ) : null}
      <footer className="flex flex-wrap items-center gap-2.5 border-t border-line px-4 py-3 wide:px-5">
        <Link href={page} prefetch={false} className={buttonLook.primary}>
          {plan ? plural(t.diagnosis.fix, numbered(plan) + 1, t.locale) : t.diagnosis.open}
        </Link>
        <Link href={`${page}#evidence`} prefetch={false} className={buttonLook.plain}>
          {t.diagnosis.allEvidence}
        </Link>
        {first && run ? (
          <p className={`min-w-60 flex-1 text-sm ${run.effect === "deletes-data" ? "text-blocker" : "text-muted"}`}>
            <RichText text={run.effect === "none" && !run.changes ? fill(t.diagnosis.looksFirst, { title: first.title }) : run.changes} />
          </p>
        ) : null}
      </footer>
    </article>
  );
}
