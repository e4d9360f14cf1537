import { SectionHeading } from "@/components/ui/section-heading.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { type StepState, settlingProgress } from "@/lib/client/settling-steps.ts";
import type { Tone } from "@/lib/client/tone.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import type { Report } from "@/lib/model/report.ts";

const tones: Readonly<Record<StepState, Tone>> = { done: "passed", now: "settling", later: "pending" };

/** What a new install still has to do, and how long each part usually takes. */
export function SettlingTimeline({ report, snapshot, t }: { report: Report; snapshot: boolean; t: ClusterTexts }) {
  const { timeline } = t.diagnosis;
  return (
    <section className="mb-4">
      <SectionHeading>{timeline.title}</SectionHeading>
      <div className="rounded-xl border border-line bg-surface">
        <ol className="px-4 py-4.5 wide:px-5">
          {settlingProgress(report.checks).map(({ step, state }) => (
            <li key={step} className="group relative flex gap-3.5 pb-5 last:pb-0">
              <span aria-hidden="true" className="absolute top-6.5 bottom-1 left-[calc(0.625rem-0.5px)] w-px bg-line-strong group-last:hidden" />
              <StatusIcon tone={tones[state]} className="mt-px size-5" />
              <div className={state === "later" ? "text-muted" : ""}>
                <p className="font-medium">
                  {timeline.steps[step].title}
                  <span className={`ml-2 text-xs font-normal ${state === "done" ? "text-passed" : state === "now" ? "text-info" : "text-faint"}`}>
                    {timeline[state]}
                  </span>
                </p>
                {state === "done" ? null : <p className="text-sm text-faint">{timeline.steps[step].usual}</p>}
              </div>
            </li>
          ))}
        </ol>
        <p className="border-t border-line px-4 py-3 text-sm text-muted wide:px-5">{snapshot ? timeline.snapshot : timeline.after}</p>
      </div>
    </section>
  );
}
