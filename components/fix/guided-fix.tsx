import type { ReactNode } from "react";
import { Card } from "@/components/ui/card.tsx";
import { type FixPlan, numbered } from "@/lib/client/fix-plans.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { FixStep } from "./fix-step.tsx";
import { FixWays } from "./fix-ways.tsx";

/** A fix as numbered steps; `last` is the step that shows whether it worked. */
export function GuidedFix({
  plan,
  last,
  t,
}: {
  plan: FixPlan;
  last?: { readonly title: string; readonly content: ReactNode };
  t: Pick<Ui, "common" | "finding">;
}) {
  return (
    <Card>
      <ol>
        {plan.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the order
          <FixStep key={index} number={step.number} title={step.title}>
            <FixWays ways={step.ways} t={t} />
          </FixStep>
        ))}
        {last ? (
          <FixStep number={numbered(plan) + 1} title={last.title}>
            {last.content}
          </FixStep>
        ) : null}
      </ol>
    </Card>
  );
}
