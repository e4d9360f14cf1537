import type { ReactNode } from "react";
import { productText } from "@/components/diagnosis/install-line.tsx";
import { GuidedFix } from "@/components/fix/guided-fix.tsx";
import { VerifyStep } from "@/components/fix/verify-step.tsx";
import { PanelBoundary } from "@/components/ui/panel-boundary.tsx";
import { RichText } from "@/components/ui/rich-text.tsx";
import { SectionHeading } from "@/components/ui/section-heading.tsx";
import { type FixPlan, fixPlans } from "@/lib/client/fix-plans.ts";
import type { ClusterTexts } from "@/lib/i18n/cluster-texts.ts";
import { fill } from "@/lib/i18n/fill.ts";
import type { InstallSummary } from "@/lib/model/report.ts";
import type { FindingView } from "@/lib/model/view.ts";
import { CalmState } from "./calm-state.tsx";
import { ProblemList } from "./problem-list.tsx";

interface Props {
  readonly view: FindingView;
  readonly running: boolean;
  /** It failed when the page was opened, and passes now. */
  readonly fixed: boolean;
  readonly installs: readonly InstallSummary[];
  readonly t: ClusterTexts;
}

/** The fix and the evidence of a check; a check without problems says in peace how it stands. */
export function FindingBody({ view, running, fixed, installs, t }: Props) {
  const { check, problems, cluster } = view;
  const panel = { text: t.common.panelFailed, retry: t.common.tryAgain };
  const failing = check.status === "fail";
  const plans = failing ? fixPlans(problems) : [];
  const verify = <VerifyStep cluster={cluster.name} running={running} failing={failing} t={t} />;
  return (
    <div className="grid min-w-0 content-start gap-7">
      {failing ? null : <CalmState view={view} fixed={fixed} t={t} />}
      <PanelBoundary {...panel}>
        {plans.map((plan, index) => (
          <Plan
            key={plan.problems.map((problem) => problem.text).join("\n")}
            plan={plan}
            several={plans.length > 1}
            installs={installs}
            verify={index === plans.length - 1 ? verify : null}
            t={t}
          />
        ))}
        {failing && plans.length === 0 ? (
          <section>
            <SectionHeading>{t.finding.guidedFix}</SectionHeading>
            <div className="rounded-xl border border-line bg-surface p-5">
              <p className="mb-4 text-muted">{t.finding.noFix}</p>
              {verify}
            </div>
          </section>
        ) : null}
      </PanelBoundary>
      <PanelBoundary {...panel}>
        <ProblemList problems={problems} settling={check.status === "settling"} t={t} />
      </PanelBoundary>
    </div>
  );
}

/** One fix; where a check has several, it names the problems that it repairs. */
function Plan({
  plan,
  several,
  installs,
  verify,
  t,
}: {
  plan: FixPlan;
  several: boolean;
  installs: readonly InstallSummary[];
  verify: ReactNode;
  t: ClusterTexts;
}) {
  const [install, ...others] = installs;
  const target = install && others.length === 0 ? fill(t.finding.forInstall, { product: productText(install, t), namespace: install.namespace }) : "";
  return (
    <section>
      <SectionHeading note={<RichText text={several ? plan.problems.map((problem) => problem.text).join(" ") : target} />}>
        {t.finding.guidedFix}
      </SectionHeading>
      <GuidedFix plan={plan} last={verify ? { title: t.finding.verify.title, content: verify } : undefined} t={t} />
    </section>
  );
}
