import Link from "next/link";
import { RichText } from "@/components/ui/rich-text.tsx";
import { SectionHeading } from "@/components/ui/section-heading.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { errorGist } from "@/lib/client/error-gist.ts";
import type { Tone } from "@/lib/client/tone.ts";
import { useReportedErrors } from "@/lib/client/use-reported-errors.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { Report, ReportedError } from "@/lib/model/report.ts";

/** How much of an error is shown, from its end, where the cause stands. */
const gist = 110;

interface Props {
  readonly cluster: string;
  readonly report: Report;
  /** Those that were added here, which can be taken out again. */
  readonly added: readonly string[];
  readonly href: (id: string) => string;
  readonly t: ClusterTexts;
}

/** The errors that people saw, and which root cause accounts for each. */
export function ReportedErrors({ cluster, report, added, href, t }: Props) {
  const { step, refusal, drop } = useReportedErrors(cluster);
  const { reported } = t.diagnosis;
  if (report.reportedErrors.length === 0) return null;
  return (
    <section className="mb-6">
      <SectionHeading note={report.reportedErrors.length}>{reported.title}</SectionHeading>
      <ul className="overflow-hidden rounded-xl border border-line bg-surface">
        {report.reportedErrors.map((error) => (
          <li key={error.text} className="flex gap-3 border-t border-line px-4 py-2.5 first:border-t-0">
            <StatusIcon tone={toneOf(error)} className="mt-px size-5" />
            <div className="min-w-0 flex-1">
              <p title={error.text} className="line-clamp-3 font-mono text-xs leading-relaxed text-muted wrap-anywhere">
                {errorGist(error.text, gist)}
              </p>
              <p className="mt-0.5 text-sm">
                <Account error={error} report={report} href={href} t={reported} />
              </p>
            </div>
            {added.includes(error.text) ? (
              <button
                type="button"
                aria-disabled={step === "asking"}
                aria-label={fill(reported.dropLabel, { text: error.text })}
                onClick={() => step === "asking" || drop(error.text)}
                className="self-start rounded-md px-2 py-0.5 text-sm text-muted hover:bg-raised hover:text-ink"
              >
                {reported.drop}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {refusal ? (
        <p role="alert" className="mt-2 px-1 text-sm text-degraded">
          <RichText text={refusal} />
        </p>
      ) : null}
    </section>
  );
}

function toneOf({ explained, notOurs, checks }: ReportedError): Tone {
  if (explained) return "passed";
  return notOurs === null && checks.length > 0 ? "warning" : notOurs === null ? "unknown" : "not-applicable";
}

function Account({ error, report, href, t }: { error: ReportedError; report: Report; href: (id: string) => string; t: ClusterTexts["diagnosis"]["reported"] }) {
  if (error.by !== null) return <WithLink text={t.accounted} id={error.by} report={report} href={href} />;
  if (error.notOurs !== null) return fill(t.notOurs, { product: error.notOurs });
  const [likely] = error.checks;
  return likely === undefined ? t.unknown : <WithLink text={t.likely} id={likely} report={report} href={href} />;
}

/** A sentence with one name in it that is a link. */
function WithLink({ text, id, report, href }: { text: string; id: string; report: Report; href: (id: string) => string }) {
  const check = report.checks.find((one) => one.id === id);
  const [before, after] = text.split(/\{\w+\}/);
  return (
    <>
      {before}
      <Link href={check ? href(id) : `/checks/${id}`} prefetch={false} className="underline decoration-line-strong underline-offset-2 hover:decoration-current">
        <RichText text={check?.title ?? id} />
      </Link>
      {after}
    </>
  );
}
