import { HeadlineText } from "@/components/ui/headline-text.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Checklist } from "@/lib/client/checklist.ts";
import { type Tone, verdictTones } from "@/lib/client/tone.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { Report } from "@/lib/model/report.ts";

/** The diagnosis in one sentence. */
export function Verdict({ report, list, t }: { report: Report; list: Checklist; t: ClusterTexts }) {
  const { text, tone } = verdictOf(report, list, t);
  return (
    <h2 className="mb-2 max-w-[25em] text-xl leading-tight font-semibold tracking-tight text-balance wide:text-2xl">
      {tone === "passed" ? <StatusIcon tone="passed" className="mr-1.5 inline size-[1em] align-[-0.12em]" /> : null}
      <span className="sr-only">{t.common.verdict[report.verdict]}: </span>
      <HeadlineText text={text} tone={tone} />
    </h2>
  );
}

function verdictOf(report: Report, list: Checklist, t: ClusterTexts): { readonly text: string; readonly tone: Tone } {
  const { headline } = t.diagnosis;
  const tone = verdictTones[report.verdict];
  switch (report.verdict) {
    case "broken":
    case "degraded":
      return { text: list.roots[0]?.check.headline ?? headline.failing, tone: list.roots[0]?.check.severity ?? tone };
    case "not-installed":
      return { text: headline.notInstalled, tone };
    case "settling":
      return { text: headline.settling, tone };
    case "unknown":
      return { text: report.final ? headline.unknown : headline.soFar, tone };
    case "healthy":
      return report.final ? { text: headline[healthOf(report, list)], tone } : { text: headline.soFar, tone: "pending" };
  }
}

/** How much "healthy" is known to be: an accepted Certificate proves it, but not what nobody could look at. */
function healthOf(report: Report, list: Checklist): "healthy" | "healthyUnseen" | "healthyWithoutProbe" {
  if (!report.checks.some((check) => check.area === "api-probe" && check.status === "pass")) return "healthyWithoutProbe";
  return list.unknown.length > list.passed.length ? "healthyUnseen" : "healthy";
}
